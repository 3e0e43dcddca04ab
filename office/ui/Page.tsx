import { type ReactNode, useEffect, useRef } from 'react'
import { facts } from '../facts.ts'

interface PageProps {
  readonly title: string
  /** One line below the title. */
  readonly sub?: ReactNode
  /** Above the title: where this thing belongs. */
  readonly crumb?: ReactNode
  /** The page's buttons. */
  readonly acts?: ReactNode
  readonly children: ReactNode
}

/** A screen: its title is the document's, and has the focus after a navigation. */
export function Page({ title, sub, crumb, acts, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} | ${facts().name} office`
  }, [title])
  useEffect(() => {
    // Not on the first page, where the browser starts at the top.
    if (window.history.state?.__TSR_index > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <header className="page-head">
        {crumb && (
          <nav className="crumb" aria-label="Where this is">
            {crumb}
          </nav>
        )}
        <div className="page-line">
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {sub && <p>{sub}</p>}
          </div>
          {acts && <div className="acts">{acts}</div>}
        </div>
      </header>
      {children}
    </>
  )
}

interface SectionProps {
  readonly title: string
  /** Small text after the title. */
  readonly note?: ReactNode
  /** At the end of the line. */
  readonly acts?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, note, acts, children }: SectionProps) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {note && <span className="small">{note}</span>}
        {acts && <span className="push">{acts}</span>}
      </div>
      {children}
    </section>
  )
}
