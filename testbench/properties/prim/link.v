    // Of one stage, with eight credits. One of the elements that enter, any of them, is watched.
    input watch;
    reg watching_q;
    reg [`WIDTH-1:0] watched_q;
    // Elements inside; of these, the ones before the watched one; and whether one left in the cycle before.
    reg [3:0] inside_q;
    reg [3:0] before_q;
    reg left_q;
    reg held_q;
    wire enters = in_valid & in_ready;
    wire leaves = out_valid & out_ready;
    wire begins = enters & watch & ~watching_q;
    wire watched_leaves = leaves & watching_q & (before_q == 0);

    always @(posedge clock) begin
        if (reset) begin
            watching_q <= 1'b0;
            inside_q <= 4'd0;
            left_q <= 1'b0;
            held_q <= 1'b0;
        end else begin
            watching_q <= begins | (watching_q & ~watched_leaves);
            inside_q <= inside_q + enters - leaves;
            left_q <= leaves;
            held_q <= held_q | ~out_ready;
        end
        if (begins) watched_q <= in_data;
        before_q <= begins ? inside_q - leaves : before_q - (leaves & watching_q);
    end

    // property order: An element comes out when all that entered before it have left, and with the data that it entered with.
    wire order = ~(watching_q & (before_q == 0) & out_valid) | (out_data == watched_q);
    // property nothing_lost: An element that entered and has not left is in the link.
    wire nothing_lost = ~watching_q | (before_q < inside_q);
    // property ready_exact: `in_ready` is high exactly when fewer than eight are inside or have just left.
    wire ready_exact = in_ready == (inside_q + left_q < 8);
    // property empty_exact: `empty` is high exactly when none is inside or has just left.
    wire empty_exact = empty == ((inside_q == 0) & ~left_q);
    // property fits: The queue has room for what comes to it.
    wire fits = ~(way.valid_1_q & queue.control.count_q[3]);
    // property flows: An element a cycle may enter as long as each is taken at once.
    wire flows = held_q | in_ready;

    // invariant credits: Each credit in use is that of an element inside or of one that has just left.
    wire credits = {1'b0, way.used_q} == inside_q + left_q;
    // invariant parts: An element is on the way, behind the head or the head.
    wire parts = {1'b0, inside_q} == way.valid_1_q + queue.control.count_q + queue.control.on_pins_q;
    // invariant limit: There are eight credits.
    wire limit = way.used_q <= 8;
    // invariant back: A credit is on its way back in the cycle after an element left.
    wire back = (way.credit_1_q == left_q) & (way.busy_q == (|way.used_q));
    // invariant distance: Head and tail are as far apart as there are elements behind the head.
    wire distance = queue.control.tail_q - queue.control.head_q == queue.control.count_q[2:0];
    // invariant before: The watched element is one of those inside.
    wire before = ~watching_q | (before_q < inside_q);
    // invariant place: The watched element is where its number says.
    wire on_pins = queue.control.on_pins_q;
    wire [2:0] watched_place = queue.control.head_q + before_q - on_pins;
    wire place = ~watching_q | ((before_q == 0) & on_pins ? out_data == watched_q
        : before_q == queue.control.count_q + on_pins ? way.data_1_q == watched_q
        : queue.sram.words[watched_place] == watched_q);

    // reached no_credit: No credit is left while an element is watched.
    wire no_credit = ~in_ready & watching_q;
    // reached leaves_behind_others: The watched element leaves behind others.
    reg behind_others_q;
    always @(posedge clock) behind_others_q <= ~reset & (begins ? inside_q > 2 : behind_others_q);
    wire leaves_behind_others = watched_leaves & behind_others_q;
