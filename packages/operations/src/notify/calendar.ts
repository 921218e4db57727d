import * as z from 'zod'
import { defineCall } from '../operation.ts'
import { sessionHeader } from '../store/sessions.ts'

export const createCalendar = defineCall('createCalendar', {
  summary: "Create the address of a calendar with a wallet's deadlines.",
  description:
    'Calendar apps subscribe to it (iCalendar, RFC 5545). Whoever has the address can read it, so keep it private. Creating another ends the earlier one.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({ url: z.string().describe('The address. It cannot be read again.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})

export const removeCalendar = defineCall('removeCalendar', {
  summary: 'End the calendar of a wallet.',
  description: 'Its address answers 404 from then on.',
  tag: 'notifications',
  headers: sessionHeader,
  input: z.object({}),
  output: z.object({ removed: z.boolean().describe('False if the wallet has none.') }),
  errors: ['SESSION_REQUIRED', 'DATABASE_UNREACHABLE'],
})
