/** Text about a wallet on another device. Apart, because it is needed only once it is chosen. */
export const pairingText = {
  wait: 'Asking the relay for a code',
  scan: 'Scan this with the wallet on your phone.',
  relay: (host: string) =>
    `The connection goes through the relay of ${host}. It sees no key, but learns that you use this site.`,
  code: 'Code that connects your wallet',
  open: 'Open a wallet on this device',
  copy: 'Copy the link',
  cancel: 'Cancel',
} as const
