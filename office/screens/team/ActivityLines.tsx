import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Entry } from '#contract/office/activity.ts'
import { officeCall } from '../../net/office-call.ts'
import { undo, useBusy } from '../../net/use-act.ts'
import { TextButton } from '../../ui/Button.tsx'
import { Loading } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'

const activityQuery = (query: { readonly limit: string }) =>
  queryOptions({
    queryKey: ['activity', query],
    queryFn: () => officeCall('GET /api/office/activity', { query: { limit: Number(query.limit) } }),
  })

export const useActivity = (query: { readonly limit: string }) => useQuery(activityQuery(query))

export function ActivityLines({ entries }: { readonly entries: readonly Entry[] | undefined }) {
  if (!entries) return <Loading what="the activity" />
  if (entries.length === 0) return <p className="muted">Nothing has been done yet.</p>
  return (
    <ol className="activity">
      {entries.map((entry) => (
        <Line key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Line({ entry }: { readonly entry: Entry }) {
  const { at, by, what, about, because, before, outcome } = entry
  return (
    <li>
      <time dateTime={at} title={exactly(at)}>
        {when(at)}
      </time>
      <span className="strong">{by}</span>
      <div>
        {what}
        {outcome !== 'done' && <span className="warning"> (not finished)</span>}
        <small>
          {[about, before !== null && `was ${before}`, because && `“${because}”`].filter(Boolean).join(' · ')}
        </small>
      </div>
      <UndoCell entry={entry} />
    </li>
  )
}

export function UndoCell({ entry: { id, what, canUndo, whyNot, undone } }: { readonly entry: Entry }) {
  const { busy, run } = useBusy()
  if (undone)
    return (
      <span className="small muted">
        Undone by {undone.by}, {when(undone.at)}
      </span>
    )
  if (!canUndo) return <span className="small muted">{whyNot}</span>
  return (
    <TextButton
      aria-busy={busy}
      aria-label={`Undo: ${what}`}
      onClick={() => void run(() => undo(id, [['team'], ['today']]))}
    >
      Undo
    </TextButton>
  )
}
