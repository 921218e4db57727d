import { unavailable } from '@svc/operations'
import { createSemaphore, type FairQueue } from '@svc/serve'

/** One line for everybody, as a service without fairness has it: 16 requests run, 200 wait. */
export function createSingleLine(): FairQueue {
  const line = createSemaphore(16, 200, () => unavailable('BUSY', 'Too many requests are waiting.'))
  return Object.assign(<T>({ run }: { run: () => Promise<T> }) => line(run), {
    size: () => ({ running: 0, waiting: 0 }),
  })
}
