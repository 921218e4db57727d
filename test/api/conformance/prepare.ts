import { elsewhere, type Statement } from './statement.ts'

/** The prepare command of the companion tools. */
export const prepare: readonly Statement[] = [
  ...elsewhere(4, [
    [
      'A prepare command builds unsigned calldata; its writes return approvalUrl and requestId, polled until settled',
      'test/tools/prepareGateway.test.ts',
      'a write tells where to approve it, waits, and ends when the chain has it',
    ],
    [
      'The prepare command has the 25 actions',
      'test/tools/prepareArguments.test.ts',
      'the 25 actions of the specification are there',
    ],
    [
      'What it prepares is what the contracts take',
      'test/tools/prepareActions.test.ts',
      'costs what the preview says, does what the simulation says, and explains itself where it cannot',
    ],
  ]),
  ...elsewhere(5, [
    [
      'PRIVATE_KEY is only for local agents and the send-proposal command: the prepare command never reads it',
      'test/tools/prepareOutput.test.ts',
      'it ends with its exit code, leaves no file, and shows the key in the environment nowhere',
    ],
  ]),
]
