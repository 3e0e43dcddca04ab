import type { ReactNode } from 'react'
import { NetProblem } from '#net/problem.ts'
import { Button } from './Button.tsx'

interface EmptyProps {
  readonly title: string
  readonly help?: ReactNode
  readonly children?: ReactNode
}

/** A display line, a help line and one button. */
export const Empty = ({ title, help, children }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    {help && <p>{help}</p>}
    {children && <div className="acts">{children}</div>}
  </div>
)

interface FailedProps {
  /** What didn't load: `The orders`. */
  readonly what: string
  readonly problem: unknown
  readonly onRetry: () => void
}

export function Failed({ what, problem, onRetry }: FailedProps) {
  const isOffline = problem instanceof NetProblem && problem.kind === 'offline'
  const isForbidden = problem instanceof NetProblem && problem.status === 403
  return (
    <div className="empty" role="alert">
      <h2>{isForbidden ? 'This isn’t for your role.' : `${what} didn’t load.`}</h2>
      <p>
        {isForbidden
          ? problem.description
          : isOffline
            ? 'There’s no connection to the shop. This page tries again when there is. What you typed is kept.'
            : 'The shop is selling as usual; only this list didn’t answer. What you typed is kept.'}
      </p>
      {!isForbidden && (
        <div className="acts">
          <Button look="solid" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** Rows as exact boxes while a table loads. Widths in pixels, one for each column. */
export function BoneRows({
  widths,
  rows = 6,
}: {
  readonly widths: readonly number[]
  readonly rows?: number
}) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} aria-hidden="true">
      {widths.map((width, column) => (
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a picture of a cell
        <td key={column}>
          <svg
            className="bone"
            width={Math.round(width * (0.7 + ((row * 7 + column * 3) % 4) / 10))}
            height={12}
          />
        </td>
      ))}
    </tr>
  ))
}

export const Loading = ({ what }: { readonly what: string }) => (
  <p className="muted late" role="status">
    Loading {what} …
  </p>
)
