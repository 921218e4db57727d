/** The exit codes and their meanings. 1 is reserved for bugs of the program itself. */
export const exitCodes = {
  done: { code: 0, description: 'done, or prepared' },
  usage: { code: 2, description: 'invalid usage: an argument, a file or the environment is missing or invalid' },
  unreachable: { code: 3, description: 'the chain or the gateway cannot be reached' },
  refused: {
    code: 4,
    description:
      'rejected: the chain would revert or has reverted, the task does not exist, or the person rejected the request',
  },
  timedOut: { code: 5, description: 'timed out: the request expired, or the wait ended before it was settled' },
} as const

export type ExitName = keyof typeof exitCodes
