import { elsewhere, type Statement } from './statement.ts'

/** The `svc-prepare` command of the tools. */
export const prepare: readonly Statement[] = [
  ...elsewhere(4, [
    [
      'A prepare command builds unsigned calldata; its writes return approvalUrl and requestId, polled until settled',
      'test/tools/prepareGateway.test.ts',
      'an action prints where to approve it, waits, and ends when it is confirmed',
    ],
    [
      'The prepare command has the 25 actions',
      'test/tools/prepareArguments.test.ts',
      'the 25 actions of the specification are there',
    ],
    [
      'What it prepares is what the contracts take',
      'test/tools/prepareActions.test.ts',
      'costs what the preview shows, does what the simulation shows, and explains failures',
    ],
  ]),
  ...elsewhere(5, [
    [
      'PRIVATE_KEY is only for local agents and the send-proposal command: the prepare command never reads it',
      'test/tools/prepareOutput.test.ts',
      'it returns the exit code, leaves no file, and never prints the key of the environment',
    ],
  ]),
]
