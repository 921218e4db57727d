/// <reference types="vite/client" />

/** The price table of the protocol, computed by the build: its rules are a third of the page that shows it. */
declare module 'virtual:prices' {
  export const prices: readonly import('@svc/protocol/internal/actions').Price[]
}
