/** Text about connecting and using a wallet. */
export const walletText = {
  connect: 'Connect wallet',
  connecting: 'Connecting',
  disconnect: 'Disconnect',
  wrongChain: 'Wrong chain: switch',
  title: 'Connect a wallet',
  description: 'Your wallet is your account here: there is no password. Reading needs none.',
  none: 'No wallet was found in this browser. Install one as an extension, or open this page in the browser of your wallet, then reload.',
  injected: "This browser's wallet",
  declined: 'You declined the connection in your wallet. You can try again.',
  transactions: (count: number) => `Your transactions (${count})`,
  yourTransactions: 'Your transactions',
  forget: 'Remove from this list',
  noAnswer: 'Your wallet did not answer. Unlock it, then try again.',
} as const
