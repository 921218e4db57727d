import type { ReactNode } from 'react'

/** A part of the page with its heading. */
export const Section = ({
  title,
  description,
  children,
}: {
  title: string
  description: string | null
  children: ReactNode
}) => (
  <section>
    <div className="stack tight">
      <h2>{title}</h2>
      {description && <p className="small soft">{description}</p>}
    </div>
    {children}
  </section>
)
