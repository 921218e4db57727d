/** Loads what encrypts and decrypts. It is large, and most visits do not need it. */
export const loadEngine = () => import('./engine.ts')
