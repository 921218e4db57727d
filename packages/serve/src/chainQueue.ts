import { createFairQueue, type FairQueue } from './fairQueue.ts'

export interface ChainQueueOptions {
  /** Calls to providers that run at once. */
  running?: number
  /** Requests that wait. */
  waiting?: number
}

/**
 * The line of everything that a client's request reads from the chain. One network never has more than a quarter of the calls
 * and a fifth of the places, so that others find room at once.
 */
export const createChainQueue = ({ running = 160, waiting = 1_000 }: ChainQueueOptions = {}): FairQueue =>
  createFairQueue({
    maxRunning: running,
    maxRunningPerNetwork: Math.ceil(running / 4),
    maxWaiting: waiting,
    maxWaitingPerNetwork: Math.ceil(waiting / 5),
  })
