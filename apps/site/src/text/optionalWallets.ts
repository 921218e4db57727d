/** Text about wallets that the operator turned on when the site was built. Apart, so that other builds do not carry it. */
export const optionalWalletText = {
  baseAccount: 'Base Account opens a window of keys.coinbase.com, which learns that you use this site.',
  walletConnect:
    'For a wallet on your phone. The servers of walletconnect.org pass on your requests and learn that you use this site.',
  pairing: {
    wait: 'Asking WalletConnect for a code',
    scan: 'Scan this code with your wallet.',
    code: 'Code that connects your wallet',
    open: 'Open a wallet on this device',
    copy: 'Copy the link',
    cancel: 'Cancel',
  },
} as const
