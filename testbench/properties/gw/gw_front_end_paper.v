    // The unit as the paper has it: all waves are offered, and only the arbiter asks the storage.
    wire expresses = 1'b0;
    wire asks = arbiter.ask_valid;
    wire [1:0] asked_set = arbiter.ask_line[1:0];
    wire ask_goes_on = storage.control.surveyed_q;
