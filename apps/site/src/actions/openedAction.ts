/** An action that the user opened, with what its form knows already. */
export interface OpenedAction {
  name: string
  title: string
  known: Readonly<Record<string, unknown>>
  required?: readonly string[]
  offered?: readonly string[]
  start?: Readonly<Record<string, string>>
  /** Unix milliseconds. */
  openedAt: number
}
