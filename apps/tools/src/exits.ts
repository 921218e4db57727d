/** What each exit code says. 1 is left for faults of the program itself. */
export const exits = {
  done: { code: 0, words: 'done, or prepared' },
  usage: { code: 2, words: 'not understood: an argument, a file or the environment cannot be read' },
  unreachable: { code: 3, words: 'the chain or the gateway cannot be reached' },
  refused: {
    code: 4,
    words: 'refused: the chain would refuse or has refused it, the task does not exist, or the person rejected it',
  },
  timedOut: { code: 5, words: 'nobody answered in time: the request expired, or the wait ended before it settled' },
} as const

export type Exit = keyof typeof exits
