import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { officeCall } from '../../net/office-call.ts'
import { Drawer } from '../../ui/Drawer.tsx'
import { Field } from '../../ui/Field.tsx'
import { Failed } from '../../ui/states.tsx'
import { useListSearch } from '../../list/use-list-search.ts'
import './people.css'

const SHORTEST = 2

/** Finds whom a membership is given to, and opens the form on their page. */
export function GiveMembership() {
  const navigate = useNavigate()
  const { search } = useListSearch()
  const [words, setWords] = useState('')
  const asked = words.trim()
  const isAsked = asked.length >= SHORTEST
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'found', asked],
    queryFn: () => officeCall('GET /api/office/people', { query: { words: asked, limit: 6 } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const people = isAsked ? (data?.rows ?? []) : []
  return (
    <Drawer title="Give a membership" onClose={() => void navigate({ to: '/members', search })}>
      <div className="form">
        <Field
          label="To whom"
          type="search"
          autoComplete="off"
          hint="A name or an address. They need an account; without one, send them a gift from the shop."
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        {error && <Failed what="The people" problem={error} onRetry={() => void refetch()} />}
        <ul className="give-to">
          {people.map(({ id, name, email, plan }) => (
            <li key={id}>
              <Link to="/people/$id/$act" params={{ id, act: 'membership' }} className="two-lines">
                <b className="strong">{name}</b>
                <small>{[email, plan].filter(Boolean).join(', ')}</small>
              </Link>
            </li>
          ))}
        </ul>
        <p role="status" className="hint">
          {isAsked && data && people.length === 0 ? `Nobody is called “${asked}”.` : ''}
        </p>
      </div>
    </Drawer>
  )
}
