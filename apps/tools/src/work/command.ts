import type { Answer } from '../negotiate/command.ts'
import type { Options } from '../negotiate/context.ts'
import type { WorkIo } from './context.ts'
import type { WorkPlace, WorkWallet } from './place.ts'

/** One command of `svc-work`, about a task or about the wallet alone. */
export type WorkCommand = CommandAbout<'task', WorkPlace> | CommandAbout<'wallet', WorkWallet>

export interface CommandAbout<Subject extends string, Place> {
  about: Subject
  name: string
  /** The arguments, in commander's notation; for a task, those after its id. */
  args: string
  summary: string
  /** The service that it calls, for error messages; the store by default. */
  service?: 'notifier'
  options?: readonly (readonly [flags: string, description: string])[]
  run: (place: Place, options: Options, args: readonly Argument[], io: WorkIo) => Promise<Answer>
}

export type Argument = string | readonly string[] | undefined
