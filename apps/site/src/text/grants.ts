/** Text about agents that spend for a wallet. */
export const grantsText = {
  title: 'Agents that spend for you',
  description: 'svc-agent writes a file when you let an agent act. Open it here to see what is left, and to end it.',
  open: 'Open the file of an agent',
  notAGrant: 'This is not the file of an agent. It is named grant.json.',
  otherMarket: 'This file is for another market than this site.',
  left: 'It may still spend',
  until: 'Until',
  worst: 'You can lose at most',
  gas: (ether: string) => `${ether} ETH of gas`,
  reading: 'Reading…',
  ended: 'It has ended: it can take no new task.',
  otherWallet: 'Sign in with the account of this agent to end it.',
  revoke: 'Revoke',
  revokeSays:
    'It can pay for nothing new then. What it works on stays yours to finish; svc-agent revoke ends its key too.',
  forget: 'Remove from this list',
} as const
