    // The formula of the page, of the last index that stage 1 took.
    localparam BITS = $clog2(`PARTITIONS * `SETS);
    localparam USED = `HASH == 1 ? BITS : 32;
    reg [31:0] block_of_page_q;
    wire [45:0] address_46 = {7'd0, target} + ({22'd0, index} << size);
    wire [31:0] x = block_of_page_q;
    wire [31:0] product_32 = x + (x << 6) + ((x << 13) + (x << 21));
    wire [31:0] folds = `HASH == 0 ? product_32 : x;
    reg [BITS-1:0] fold;
    integer n;
    always @(*) begin
        fold = 0;
        for (n = 0; n < 32; n = n + 1) fold[n % BITS] = fold[n % BITS] ^ folds[n];
    end
    wire [31:0] partition = x % `PARTITIONS;
    wire [31:0] bank = x / `PARTITIONS % 2;
    wire [31:0] set = x / `PARTITIONS / 2 % (`SETS / 2);
    wire [31:0] modulo = partition * `SETS + bank * (`SETS / 2) + set;

    // Whether the stages have taken, and the hash of what stage 2 took.
    reg took_1_q;
    reg took_2_q;
    reg [BITS-1:0] hash_of_page_q;
    always @(posedge clock) begin
        took_1_q <= ~reset & (took_1_q | enable_1);
        took_2_q <= ~reset & (took_2_q | (enable_2 & took_1_q));
        if (enable_1) block_of_page_q <= address_46[38:7];
        if (enable_2) hash_of_page_q <= `HASH == 1 ? modulo : fold;
    end

    // property formula: The hash is that of the page, of the index that went through both stages.
    wire formula = ~took_2_q | (hash == hash_of_page_q);

    // invariant block: Stage 1 has the block of the page, of the last index that it took.
    wire block = ~took_1_q | (block_q[USED-1:0] == block_of_page_q[USED-1:0]);
    // invariant hashes: Stage 2 has the hash of the page.
    wire hashes = ~took_2_q | (hash == hash_of_page_q);

    // reached all_ones: The hash of an index is all ones.
    wire all_ones = took_2_q & (&hash);
