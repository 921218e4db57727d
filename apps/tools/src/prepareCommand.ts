/** The command line that prepares an action for a wallet; what is still to be brought stands in angle brackets. */
export function prepareCommand(action: string, given: Readonly<Record<string, string>>, needs: readonly string[] = []) {
  const options = [
    ...Object.entries(given).map(([name, value]) => `--${kebab(name)} ${value}`),
    ...needs.map((name) => `--${kebab(name)} <${name}>`),
  ]
  return ['svc-prepare', action, ...options].join(' ')
}

/** A field's name as a flag: `amountTokWei` is `amount-tok-wei`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
