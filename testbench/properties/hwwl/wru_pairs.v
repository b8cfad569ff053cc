    // Who gives and who takes in each of the two pairs.
    wire [3:0] upper = {ranks[7], ranks[5], ranks[3], ranks[1]};
    wire [3:0] odd = {ranks[6], ranks[4], ranks[2], ranks[0]};
    wire [3:0] give_0 = mover.giving_q & odd;
    wire [3:0] give_1 = mover.giving_q & ~odd;
    wire [3:0] wait_0 = mover.awaiting_q & ~odd;
    wire [3:0] wait_1 = mover.awaiting_q & odd;
    wire [3:0] take_0 = mover.taking_q & ~odd;
    wire [3:0] take_1 = mover.taking_q & odd;
    // invariant roles: The upper ranks give, and the lower ranks take.
    wire roles = ((mover.giving_q & ~upper) | ((mover.awaiting_q | mover.taking_q) & upper)) == 0;
    // invariant one_each: A pair has one giver at most, and one taker at most.
    wire [3:0] takers_0 = wait_0 | take_0;
    wire [3:0] takers_1 = wait_1 | take_1;
    wire one_each = ((give_0 & (give_0 - 4'd1)) | (give_1 & (give_1 - 4'd1)) | (takers_0 & (takers_0 - 4'd1))
        | (takers_1 & (takers_1 - 4'd1)) | (mover.awaiting_q & mover.taking_q)) == 0;
    // invariant one_rank: While a bank gives, no two banks have the same upper rank.
    wire [3:0] rank_3 = upper & odd;
    wire [3:0] rank_2 = upper & ~odd;
    wire one_rank = ~(|mover.giving_q) | (((rank_3 & (rank_3 - 4'd1)) | (rank_2 & (rank_2 - 4'd1))) == 0);
    // invariant partners: A taker waits exactly while the giver of its pair gives, and nobody takes from a sender.
    wire partners = ((|(give_0 & ~mover.sending_q)) == (|wait_0)) & ((|(give_1 & ~mover.sending_q)) == (|wait_1))
        & (~(|(give_0 & mover.sending_q)) | ~(|takers_0)) & (~(|(give_1 & mover.sending_q)) | ~(|takers_1));
    // invariant one_sender: One bank at most sends, and finds the register to the network empty.
    wire [3:0] senders = mover.giving_q & mover.sending_q;
    wire one_sender = ((senders & (senders - 4'd1)) == 0) & (~(|senders) | ~out_valid);
    // invariant requests: Banks answer the requests of the cycle before.
    wire requests = (popped_q == (mover.answers_q ? mover.giving_q : 4'd0)) & (pushed_q == (mover.answers_q ? mover.taking_q : 4'd0))
        & (~(pushed_q[0]) | (pushed_id_q[23:0] == push_id[23:0])) & (~(pushed_q[1]) | (pushed_id_q[47:24] == push_id[47:24]))
        & (~(pushed_q[2]) | (pushed_id_q[71:48] == push_id[71:48])) & (~(pushed_q[3]) | (pushed_id_q[95:72] == push_id[95:72]));
    // invariant under_way: What came and did not go is on its way to a bank, or on the pins to the network.
    wire [3:0] is_word = {push_id[95:72] == word_q, push_id[71:48] == word_q, push_id[47:24] == word_q, push_id[23:0] == word_q};
    wire [3:0] words_under_way = mover.taking_q & is_word;
    wire under_way = balance_q == words_under_way[0] + words_under_way[1] + words_under_way[2] + words_under_way[3]
        + (out_valid & (out_id == word_q));

    // reached comes_and_goes: An ID came, and goes to a bank.
    wire comes_and_goes = (balance_q != 0) & (goes != 0) & ~out_valid;
    // reached sent: An ID goes to another core.
    wire sent = out_valid & out_ready;
