    // invariant giver_has: So does the second.
    wire giver_has = ~extremes.valid | (extremes.giver != bank_q) | (extremes.giver_has == had_2);

    // reached comes_and_goes: An ID came, and goes to a bank.
    wire comes_and_goes = (balance_q != 0) & (goes != 0) & ~out_valid;
    // reached sent: An ID goes to another core.
    wire sent = out_valid & out_ready;
    // reached at_once: A bank is asked in the cycle behind the last answer.
    wire at_once = accepted_q & (|pop);
