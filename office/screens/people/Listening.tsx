import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WholePerson } from '#contract/office/people.ts'
import { officeCall } from '../../net/office-call.ts'
import { isRefused, problemWords } from '../../net/use-act.ts'
import { TextButton } from '../../ui/Button.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'

/** Fetched only while the person allows it, and only on request: each look is written into the log. */
export function Listening({ person: { id, firstName, listeningUntil } }: { readonly person: WholePerson }) {
  const [isAsked, setAsked] = useState(false)
  if (!listeningUntil)
    return (
      <p className="hint">
        What {firstName} listens to isn’t shown here. They can allow it for a day, in their settings under
        Privacy.
      </p>
    )
  return (
    <div className="person-listening">
      <p className="hint">
        {firstName} lets us see what they listened to until {exactly(listeningUntil)}.{' '}
        {!isAsked && <TextButton onClick={() => setAsked(true)}>Look at it</TextButton>}
      </p>
      {isAsked && <Places id={id} />}
    </div>
  )
}

function Places({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['person', id, 'listening'],
    queryFn: () => officeCall('GET /api/office/people/{id}/listening', { params: { id } }),
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  if (!data)
    return isRefused(error, 403) ? (
      <p>{problemWords(error)}</p>
    ) : error ? (
      <Failed what="What they listened to" problem={error} onRetry={() => void refetch()} />
    ) : (
      <Loading what="what they listened to" />
    )
  if (data.titles.length === 0) return <p>Nothing yet.</p>
  return (
    <ul>
      {data.titles.map(({ title, chapter, seconds, at }) => (
        <li key={title}>
          <b>{title}</b>, chapter {chapter} at {Math.floor(seconds / 60)}:
          {String(Math.floor(seconds % 60)).padStart(2, '0')}, {when(at)}
        </li>
      ))}
    </ul>
  )
}
