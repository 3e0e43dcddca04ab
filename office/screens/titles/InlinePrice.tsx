import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedTitle } from '#contract/office/titles.ts'
import { amount } from '#format/money.ts'
import { officeCall } from '../../net/office-call.ts'
import { problemWords, useAct } from '../../net/use-act.ts'

/** What was typed, in pence; undefined if it is no price. */
export const typedMinor = (typed: string): number | undefined =>
  /^\d{1,4}([.,]\d{1,2})?$/.test(typed.trim())
    ? Math.round(Number(typed.trim().replace(',', '.')) * 100)
    : undefined

/** A price is a button that becomes a field of the same width. */
export function InlinePrice({ title }: { readonly title: Pick<ListedTitle, 'id' | 'title' | 'priceMinor'> }) {
  const [isOpen, setOpen] = useState(false)
  const { priceMinor } = title
  if (isOpen) return <PriceField title={title} onClose={() => setOpen(false)} />
  return (
    <button
      type="button"
      className="inline-price"
      aria-label={`Change the price of ${title.title}: ${priceMinor === null ? 'none' : amount(priceMinor)}`}
      onClick={() => setOpen(true)}
    >
      {priceMinor === null ? <span className="muted">none</span> : amount(priceMinor)}
    </button>
  )
}

function PriceField({
  title: { id, title, priceMinor },
  onClose,
}: {
  readonly title: Pick<ListedTitle, 'id' | 'title' | 'priceMinor'>
  readonly onClose: () => void
}) {
  const [typed, setTyped] = useState(priceMinor === null ? '' : (priceMinor / 100).toFixed(2))
  const byMinor = typedMinor(typed)
  const pricing = { ids: [id], how: 'set' as const, by: byMinor ?? 0 }
  const isChanged = byMinor !== undefined && byMinor !== priceMinor
  const plan = useQuery({
    queryKey: ['titles', 'plan', pricing],
    queryFn: () => officeCall('POST /api/office/titles/prices/plan', { body: pricing }),
    enabled: isChanged,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const save = useAct(
    () => officeCall('POST /api/office/titles/prices', { body: { ...pricing, shownMinor: pricing.by } }),
    {
      changes: [['titles'], ['title']],
      done: ({ what }) => `${what}.`,
      entry: ({ entry }) => entry,
      onDone: onClose,
    },
  )
  const members = isChanged && !plan.isPlaceholderData ? plan.data?.rows[0]?.memberMinor : undefined
  const problem = save.refusal || (plan.error ? problemWords(plan.error) : '')
  return (
    <span className="inline-field">
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that had the focus
        autoFocus
        className="input"
        inputMode="decimal"
        aria-label={`Price of ${title} in pounds`}
        aria-describedby={`price-note-${id}`}
        aria-invalid={byMinor === undefined || undefined}
        value={typed}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            onClose()
          } else if (event.key === 'Enter' && byMinor !== undefined) {
            event.preventDefault()
            if (isChanged) void save.write()
            else onClose()
          }
        }}
        onBlur={() => {
          if (!isChanged) onClose()
        }}
      />
      <span id={`price-note-${id}`} className="inline-note" role="status">
        {problem ||
          (byMinor === undefined ? (
            'Pounds and pence, like 12.99'
          ) : (
            <>
              {members !== undefined && <b>Members pay {amount(members)}. </b>}
              <kbd>Enter</kbd> saves <kbd>Esc</kbd> leaves {priceMinor === null ? 'none' : amount(priceMinor)}
            </>
          ))}
      </span>
    </span>
  )
}
