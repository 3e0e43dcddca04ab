import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { StorefrontIcon } from '@phosphor-icons/react/dist/csr/Storefront'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Bookshop, CardBatch } from '#contract/office/cards.ts'
import { amount } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import { useMay } from '../../net/me.ts'
import { Filters } from '../../list/Filters.tsx'
import type { Filter, ListSearch } from '../../list/list-types.ts'
import { Export } from '../../list/Export.tsx'
import { useListSearch } from '../../list/use-list-search.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button, LinkButton, TextButton } from '../../ui/Button.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { monthOf, onDay } from '../../ui/when.ts'
import { cardsQuery } from './cards-query.ts'
import { Due } from './Due.tsx'
import { FoundCards } from './FoundCards.tsx'
import '../../list/list.css'
import './cards.css'

export function Cards() {
  const may = useMay()
  const { data, error, refetch } = useQuery(cardsQuery)
  return (
    <Page
      title="Cards and bookshops"
      acts={
        may('cards.change') && (
          <>
            <LinkButton icon={StorefrontIcon} to="/cards/bookshops/new">
              Add a bookshop
            </LinkButton>
            <LinkButton look="beak" icon={PlusIcon} to="/cards/make">
              Make cards
            </LinkButton>
          </>
        )
      }
    >
      {data ? (
        <>
          <Batches batches={data.batches} />
          <Bookshops bookshops={data.bookshops} />
          <Packs packs={data.packs} />
        </>
      ) : error ? (
        <Failed what="The cards" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the cards" />
      )}
      <Outlet />
    </Page>
  )
}

function Batches({ batches }: { readonly batches: readonly CardBatch[] }) {
  const [number, setNumber] = useState('')
  const { search, replaceAll } = useListSearch()
  const filters = filtersOf(batches)
  const shown = batches.filter((batch) => isMeant(batch, search))
  const sum = (key: 'made' | 'sold' | 'opened') =>
    shown.reduce((total, batch) => total + batch[key], 0).toLocaleString('en-GB')
  if (batches.length === 0)
    return (
      <Empty
        title="No cards yet."
        help="A card is an audiobook on paper: you print it, a bookshop sells it, and its reader opens it at home."
      />
    )
  return (
    <Section
      title="Batches"
      note={`${sum('made')} cards, ${sum('sold')} sold, ${sum('opened')} opened`}
      acts={<CardSearch onSearch={setNumber} />}
    >
      {number !== '' && <FoundCards key={number} number={number} onClose={() => setNumber('')} />}
      <div className="list-bar">
        <Filters filters={filters} placeholder="Title or number of a batch" />
        <span className="push">
          <Export
            list="batches"
            load={() =>
              officeFile('GET /api/office/cards/batches/export', {
                query: shown.length < batches.length ? { ids: shown.map(({ id }) => id).join(',') } : {},
              })
            }
          />
        </span>
      </div>
      {shown.length === 0 && (
        <p className="muted">
          No batches like that. <TextButton onClick={() => replaceAll({})}>Show all batches</TextButton>
        </p>
      )}
      <table className="table" hidden={shown.length === 0}>
        <thead>
          <tr>
            <th>Batch</th>
            <th className="wide-only">Made</th>
            <th className="wide-only">Where</th>
            <th className="num">Cards</th>
            <th className="num">Sold</th>
            <th className="num">Opened</th>
            <th className="num wide-only">Void</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, title, cover, background, madeAt, outlet, made, sold, opened, voided }) => (
            <tr key={id}>
              <td>
                <BatchName id={id} title={title} cover={cover} background={background} />
              </td>
              <td className="muted wide-only nowrap">{onDay(madeAt)}</td>
              <td className="wide-only">{outlet ?? 'Every bookshop'}</td>
              <td className="num">{made}</td>
              <td className="num nowrap">
                <meter
                  className="card-meter wide-only"
                  min={0}
                  max={made}
                  value={sold}
                  aria-label={`Sold of ${made}`}
                />
                {sold}
              </td>
              <td className="num">{opened}</td>
              <td className="num muted wide-only">{voided || ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const EVERY_BOOKSHOP = 'every'
const filtersOf = (batches: readonly CardBatch[]): readonly Filter[] => [
  {
    key: 'where',
    label: 'Where',
    kind: 'choice',
    options: [
      { value: EVERY_BOOKSHOP, label: 'every bookshop' },
      ...[...new Set(batches.flatMap(({ outlet }) => outlet ?? []))].map((name) => ({
        value: name,
        label: name,
      })),
    ],
  },
  {
    key: 'left',
    label: 'Cards left',
    kind: 'choice',
    options: [
      { value: 'yes', label: 'some' },
      { value: 'no', label: 'none' },
    ],
  },
]

const isMeant = (
  { id, title, outlet, made, sold, voided }: CardBatch,
  { words, where, left }: ListSearch,
): boolean =>
  (!words || String(id) === words || title.toLowerCase().includes(words.toLowerCase())) &&
  (!where || (outlet ?? EVERY_BOOKSHOP) === where) &&
  (!left || sold + voided < made === (left === 'yes'))

const BatchName = ({
  id,
  title,
  cover,
  background,
}: Pick<CardBatch, 'id' | 'title' | 'cover' | 'background'>) => (
  <Link to="/cards/batches/$id" params={{ id: String(id) }} className="with-picture">
    <span className="card-cover" style={{ background: background ?? undefined }}>
      {cover && <img src={cover} alt="" width={28} height={28} loading="lazy" />}
    </span>
    <span>
      <b className="strong">{title}</b> <span className="muted small">{id}</span>
    </span>
  </Link>
)

const TwoLines = ({ first, note }: { readonly first: ReactNode; readonly note: string }) => (
  <span className="two-lines">
    {first}
    <small>{note}</small>
  </span>
)

/** By Enter, so that a number is not looked up at each digit. */
function CardSearch({ onSearch }: { readonly onSearch: (number: string) => void }) {
  const [typed, setTyped] = useState('')
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim().length >= SHORTEST) onSearch(typed.trim())
      }}
    >
      <label className="list-words card-words">
        <Icon of={MagnifyingGlassIcon} size={16} />
        <input
          type="search"
          aria-label="Look up a card by its number, its code or its last four digits"
          placeholder="A card’s number, code or last four"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </form>
  )
}

const SHORTEST = 4

function Bookshops({ bookshops }: { readonly bookshops: readonly Bookshop[] }) {
  const [now] = useState(() => new Date())
  return (
    <Section title="Bookshops" note="Each month ends with a statement, which is emailed on the first">
      {bookshops.length === 0 ? (
        <p className="muted">None yet. A bookshop sells your cards, and pays for those it sold.</p>
      ) : (
        <table className="table tall">
          <thead>
            <tr>
              <th>Bookshop</th>
              <th className="num">{monthOf(now)} so far</th>
              <th className="num wide-only">It pays</th>
              <th className="num wide-only">Last statement</th>
              <th className="wide-only">
                <span className="visually-hidden">When it is due</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {bookshops.map(
              ({ slug, name, emails, cards, soldMinor, toPayMinor, statements: [last], closedAt }) => (
                <tr key={slug}>
                  <td>
                    <TwoLines
                      first={
                        <Link to="/cards/bookshops/$slug" params={{ slug }} className="strong">
                          {name}
                        </Link>
                      }
                      note={closedAt ? `closed ${onDay(closedAt)}` : emails.join(', ')}
                    />
                  </td>
                  <td className="num">
                    {cards === 0 ? (
                      <span className="muted">none</span>
                    ) : (
                      `${cards} ${cards === 1 ? 'card' : 'cards'}, ${amount(soldMinor)}`
                    )}
                  </td>
                  <td className="num muted wide-only">{toPayMinor === 0 ? '' : amount(toPayMinor)}</td>
                  <td className="num wide-only">{last ? amount(last.toPayMinor) : ''}</td>
                  <td className="wide-only">{last && <Due {...last} now={now} />}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      )}
      <p className="hint below">
        A card is paid for when the bookshop sells it, not when you print it. Lost or damaged? Look it up
        above, then make it void or replace it.
      </p>
    </Section>
  )
}

interface Pack {
  readonly id: string
  readonly askedAt: string
  readonly packs: number
  readonly shopName: string
  readonly town: string
  readonly contact: string
  readonly email: string
}

const Packs = ({ packs }: { readonly packs: readonly Pack[] }) => (
  <Section title="Starter packs">
    {packs.length === 0 ? (
      <p className="muted">No bookshop is waiting for one.</p>
    ) : (
      <table className="table tall">
        <thead>
          <tr>
            <th>Bookshop</th>
            <th className="wide-only">Asked</th>
            <th className="num">Packs</th>
            <th className="num">
              <span className="visually-hidden">Take it off the list</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <PackRow key={pack.id} pack={pack} />
          ))}
        </tbody>
      </table>
    )}
  </Section>
)

function PackRow({ pack: { id, askedAt, packs, shopName, town, contact, email } }: { readonly pack: Pack }) {
  const may = useMay()
  const done = useAct(() => officeCall('POST /api/office/starter-packs/{id}/done', { params: { id } }), {
    changes: [['cards']],
    done: (reply) => `${reply.shopName} is off the list.`,
  })
  return (
    <tr>
      <td>
        <TwoLines first={<b className="strong">{`${shopName}, ${town}`}</b>} note={`${contact}, ${email}`} />
      </td>
      <td className="muted wide-only">{onDay(askedAt)}</td>
      <td className="num">{packs}</td>
      <td className="num">
        {may('cards.change') ? (
          <Button
            compact
            busy={done.busy}
            sends
            aria-label={`Sent to ${shopName}`}
            onClick={() => void done.write()}
          >
            Sent
          </Button>
        ) : (
          <span className="muted">waiting</span>
        )}
      </td>
    </tr>
  )
}
