import type { Context } from './context.ts'

/** What a command answers with, for a program and for a person. */
export interface Answer {
  json: unknown
  text: string
  /** 0 unless told. */
  exit?: number
}

/** One command: its line of help, its options, and what it does. */
export interface Command {
  name: string
  /** What follows the name, in commander's notation. */
  args?: string
  summary: string
  /** It signs, so it reads PRIVATE_KEY; no other command does. */
  signs?: true
  /** It carries messages, so it has the options of transports. */
  carries?: true
  options?: readonly (readonly [flags: string, words: string])[]
  run: (context: Context, ...args: string[]) => Promise<Answer>
}
