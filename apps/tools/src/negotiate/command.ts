import type { Context } from './context.ts'

/** The result of a command, for programs and for people. */
export interface Answer {
  json: unknown
  text: string
  /** The exit code; 0 by default. */
  exit?: number
}

/** One command: its help, its options and its implementation. */
export interface Command {
  name: string
  /** The arguments after the name, in commander's notation. */
  args?: string
  summary: string
  /** Set if the command signs. Only these commands read PRIVATE_KEY. */
  signs?: true
  /** Set if the command sends or receives messages. It then has the transport options. */
  carries?: true
  options?: readonly (readonly [flags: string, description: string])[]
  run: (context: Context, ...args: string[]) => Promise<Answer>
}
