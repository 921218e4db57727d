/** Text about signing in with a wallet and using it. */
export const walletText = {
  connect: 'Sign in',
  connecting: 'Signing in',
  disconnect: 'Sign out',
  wrongChain: 'Wrong chain: switch',
  title: 'Sign in',
  description: 'No e-mail, no password. Nothing is charged until you confirm an amount.',
  passkey: 'Continue with a passkey',
  passkeyNote: 'Opens Base Account in a new window. They keep the passkey; we never see a key.',
  or: 'or use a wallet you have',
  another: 'Another wallet',
  none: 'No wallet was found in this browser. Install one as an extension, or open this page in the browser of your wallet, then reload.',
  injected: "This browser's wallet",
  declined: 'You closed it before you were signed in. You can try again.',
  noAnswer: 'Your wallet did not answer. Unlock it, then try again.',
  transactions: (count: number) => `Your transactions (${count})`,
  yourTransactions: 'Your transactions',
  forget: 'Remove from this list',
  isNew: {
    title: 'New to this?',
    wallet: 'A wallet holds your money and signs for you.',
    passkey: 'If you have none, start with the passkey: it needs no app.',
    limits: 'We can’t move your money, and we can’t reset your access.',
    thirdParty: 'keys.coinbase.com is contacted once you choose the passkey, and learns that you use this site.',
  },
} as const

/** Text about getting money into a wallet. */
export const addMoneyText = {
  button: 'Add money',
  title: (amount: string) => `Add ${amount} to start`,
  note: 'It goes to your own wallet. Nothing is paid until you confirm it.',
  noteBack: (back: string) => `You keep ${back} of it. The receipt opens when it is there.`,
  noLinks: (chain: string) =>
    `This market names no shop for USDC. Send it on ${chain} from another wallet or an exchange to your address.`,
  ways: {
    card: 'Debit or credit card',
    exchange: 'From an exchange',
    bridge: 'From another chain',
    faucet: 'Test money',
  },
  opens: (host: string) => `Opens ${host} in a new tab. It sees your address.`,
  address: 'Your address',
  only: (chain: string) => `Only send USDC or TOK on ${chain}.`,
  feesPaid: 'You need no ETH: network fees are paid for you.',
  fees: (chain: string) => `Also send about $1 of ETH on ${chain} for network fees.`,
  waiting: 'Waiting for the money to arrive. You can close this.',
} as const
