    // The ranks of the event under way. This size has four lanes, of which two pairs can be made.
    wire [7:0] ranks = mover.crossbar.rank_of_q;

    // invariant idle: Nothing is under way from the tick on until the pairs start.
    wire idle = (~(loaded_q | matched_q) | ~(|mover.giving_q | |mover.taking_q | mover.answers_q))
        & (~loaded_q | (interval.count_q == 0)) & (~matched_q | (interval.count_q == 1));
    // invariant turns: The banks that count as first are none, one, two or three.
    wire turns = (matching.below_first_q == 0) | (matching.below_first_q == 1) | (matching.below_first_q == 3)
        | (matching.below_first_q == 7);
    // invariant kinds: No bank is greedy and needy in an event.
    wire kinds = ~(loaded_q | matched_q) | ((matching.greedy_of_event_q & matching.needy_of_event_q) == 0);
    // invariant limits: Each kind knows how many the other has.
    wire limits = ~matched_q
        | ((matching.greedy_limit_wrapped_q == matching.greedy_partners - {1'b0, matching.greedy_first})
            & (matching.greedy_limit_first_q == matching.greedy_partners + {1'b0, matching.greedy_wrapped})
            & (matching.needy_limit_wrapped_q == matching.needy_partners - {1'b0, matching.needy_first})
            & (matching.needy_limit_first_q == matching.needy_partners + {1'b0, matching.needy_wrapped}));
