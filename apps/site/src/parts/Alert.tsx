import type { ReactNode } from 'react'

/** Something that is wrong, said at once to whoever listens; nothing where there is nothing. */
export function Alert({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  )
}
