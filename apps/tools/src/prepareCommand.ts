/** Makes a command return at once with one JSON document, because an agent cannot wait for a person's approval. */
export const agentFlags = '--no-wait --json'

/** Formats the command that prepares an action, for an agent. Missing inputs are placeholders in angle brackets. */
export function formatPrepareCommand(
  action: string,
  given: Readonly<Record<string, string>>,
  needs: readonly string[] = [],
) {
  const options = [
    ...Object.entries(given).map(([name, value]) => `--${toKebabCase(name)} ${value}`),
    ...needs.map((name) => `--${toKebabCase(name)} <${name}>`),
  ]
  return ['svc-prepare', action, ...options, agentFlags].join(' ')
}

/** Converts the name of a field to a flag: `amountTokWei` becomes `amount-tok-wei`. */
export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
