import type { SendResult } from './channel.ts'

/** Turns an error of a request into a result. Its message never contains the target. */
export const describeSendError = (error: unknown): SendResult => ({
  result: 'retry',
  reason: error instanceof Error ? error.message.slice(0, 200) : 'The request failed.',
})
