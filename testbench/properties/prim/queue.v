    // One of the items that come, any of them, is watched.
    input watch;
    reg watching_q;
    reg [`WIDTH-1:0] watched_q;
    // Items in the queue, the head included; of these, the items before the watched one.
    reg [$clog2(`ENTRIES)+1:0] inside_q;
    reg [$clog2(`ENTRIES)+1:0] before_q;
    wire begins = push & watch & ~watching_q;
    wire leaves = take & watching_q & (before_q == 0);

    always @(posedge clock) begin
        if (reset) begin
            watching_q <= 1'b0;
            inside_q <= 0;
        end else begin
            watching_q <= begins | (watching_q & ~leaves);
            inside_q <= inside_q + push - take;
        end
        if (begins) watched_q <= push_data;
        before_q <= begins ? inside_q - take : before_q - (take & watching_q);
    end

    // property order: An item comes to the head when all items that came before it have been taken, and with the data that it came with.
    wire order = ~(watching_q & (before_q == 0) & head_valid) | (head_data == watched_q);
    // property nothing_lost: An item that came and has not been taken is in the queue.
    wire nothing_lost = ~watching_q | (before_q < inside_q);
    // property empty_exact: `empty` is high exactly when the queue has no item.
    wire empty_exact = empty == (inside_q == 0);
    // property full_exact: `full` is high exactly when all entries behind the head are taken.
    wire full_exact = full == (inside_q - head_valid == `ENTRIES);
    // property head_comes: The head is valid a cycle after an item is in the queue and none was taken.
    reg waited_q;
    always @(posedge clock) waited_q <= ~reset & (|inside_q) & ~take;
    wire head_comes = ~waited_q | head_valid;

    // invariant count: The control counts the items behind the head.
    wire count = control.count_q + control.on_pins_q == inside_q;
    // invariant distance: Head and tail are as far apart as there are items behind the head.
    wire distance = control.tail_q - control.head_q == control.count_q[$clog2(`ENTRIES)-1:0];
    // invariant before: The watched item is one of those in the queue.
    wire before = ~watching_q | (before_q < inside_q);
    // invariant place: The watched item is where its number says.
    wire [$clog2(`ENTRIES)-1:0] watched_place = control.head_q + before_q - control.on_pins_q;
    wire place = ~watching_q | ((before_q == 0) & control.on_pins_q ? head_data == watched_q
        : sram.words[watched_place] == watched_q);

    // reached full_again: The queue is full while an item is watched.
    wire full_again = full & watching_q;
    // reached watched_leaves: The watched item is taken behind others.
    reg behind_others_q;
    always @(posedge clock) behind_others_q <= ~reset & (begins ? inside_q > 2 : behind_others_q);
    wire watched_leaves = leaves & behind_others_q;
