// What V8 does in each process of a test run: less is optimized, because a process of tests ends soon.
const { setFlagsFromString } = require('node:v8')

// Four times the default: TurboFan took a fifth of all processor time, and its code ran for a fifteenth.
setFlagsFromString('--interrupt-budget=540672')
// A third of the default: what is inlined is compiled once more.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=300')
