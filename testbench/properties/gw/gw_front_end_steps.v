    // The unit with all that goes beyond the paper. The wave that issues goes at once; the line ahead is between arbiter and storage.
    wire expresses = scheduler_q ? each_scheduler[1].scheduler.picker.issue_express_q : each_scheduler[0].scheduler.picker.issue_express_q ;
    wire offers = scheduler_q ? each_scheduler[1].scheduler.picker.issue_offer_q : each_scheduler[0].scheduler.picker.issue_offer_q ;
    // invariant one_way: A wave that issues was offered or goes at once.
    wire one_way = (issues_wave == (offers | expresses)) & ~(offers & expresses);
    wire asks = ahead_0.line_ask_valid ;
    wire [14:0] asked_line = ahead_0.line_ask_line ;
    wire [1:0] asked_set = asked_line[1:0];
    wire ask_goes_on = ahead_0.goes_on_q ;
    // invariant ask_begun: An ask that has begun stays, the arbiter's or that of the line ahead.
    wire ask_begun = (~ahead_0.goes_on_q | ahead_0.own_q | arbiter.ask_valid) & (~ahead_0.own_q | ahead_0.goes_on_q)
        & (~ahead_0.own_q | ahead_0.wants_q ) & (~storage.control.surveyed_q | ahead_0.goes_on_q );
    // property same_line: The line of an ask does not change before its end.
    reg [14:0] line_before_q;
    always @(posedge clock) line_before_q <= asked_line;
    wire same_line = ~ahead_0.goes_on_q | (asked_line == line_before_q);
    // property one_ask: An ask of the line ahead does not end one of the arbiter.
    wire one_ask = ~(ahead_0.own_q & ahead_0.room );
    // reached at_once: A wave goes at once.
    wire at_once = expresses;
    // reached fetched_ahead: A line was fetched ahead, and no look-up has found it yet.
    wire fetched_ahead = ahead_0.ahead_q != 0;
