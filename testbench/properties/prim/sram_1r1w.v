    // A word, any of them, is watched. The unit has no reset: this one begins the watch.
    input reset;
    input [$clog2(`WORDS)-1:0] pick;
    reg [$clog2(`WORDS)-1:0] place_q;
    reg is_written_q;
    reg [`WIDTH-1:0] word_q;
    reg was_read_q;
    reg [`WIDTH-1:0] read_q;
    wire here = write & (write_addr == place_q);

    always @(posedge clock) begin
        if (reset) place_q <= pick;
        is_written_q <= ~reset & (is_written_q | here);
        if (here) word_q <= wdata;
        // Until the next read, the data stay.
        was_read_q <= ~reset & (read ? (read_addr == place_q) & is_written_q & ~here : was_read_q);
        if (read) read_q <= word_q;
    end

    // property last_written: A word is read as it was last written, unless it is written in the cycle of the read.
    wire last_written = ~was_read_q | (rdata == read_q);
    // invariant kept: A word stays as it was last written.
    wire kept = ~is_written_q | (words[place_q] == word_q);
    // reached read_again: A word that was written is read.
    wire read_again = was_read_q;
