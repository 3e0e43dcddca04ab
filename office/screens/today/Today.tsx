import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { CircleIcon } from '@phosphor-icons/react/dist/csr/Circle'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Today as TodayReply, Todo } from '#contract/office/today.ts'
import { amount } from '#format/money.ts'
import { Flock } from '#ui/Flock.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useMay, useMe } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { IconButton, LinkButton, TextButton } from '../../ui/Button.tsx'
import { DayBars } from '../../ui/DayBars.tsx'
import { BoneBox, BoneHeading, BoneLines, Bones, BoneSection, BoneSub } from '../../ui/Bones.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { isForTerminal, RemedyButton } from '../../ui/RemedyButton.tsx'
import { Failed } from '../../ui/states.tsx'
import { shortDay, wholeDay } from '../../ui/when.ts'
import './today.css'

const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: () => officeCall('GET /api/office/today'),
})

export function Today() {
  const { data, error, refetch } = useQuery(todayQuery)
  if (data && data.steps.length > 0 && !data.hasSold)
    return (
      <>
        <NewShop today={data} />
        <Outlet />
      </>
    )
  return (
    <Page title="Today" sub={data ? wholeDay(noon(data.day)) : error ? undefined : <BoneSub />}>
      {data ? (
        <>
          <div className={data.steps.length > 0 ? 'today-top' : undefined}>
            <TodoList todo={data.todo} />
            {data.steps.length > 0 && <Steps steps={data.steps} />}
          </div>
          <Yesterday today={data} />
        </>
      ) : error ? (
        <Failed what="Today" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Bones what="today">
          <BoneSection lines={4} tall />
          <div className="section">
            <BoneHeading />
            <div className="today-figures">
              <BoneLines lines={7} />
              <BoneBox />
            </div>
          </div>
        </Bones>
      )}
      <Outlet />
    </Page>
  )
}

const NUMBERS = [
  'Nothing',
  'One thing',
  'Two things',
  'Three things',
  'Four things',
  'Five things',
  'Six things',
]

const countWords = (count: number): string =>
  `${NUMBERS[count] ?? `${count} things`} need${count < 2 ? 's' : ''} you`

function TodoList({ todo }: { readonly todo: readonly Todo[] }) {
  return (
    <Section title={countWords(todo.length)}>
      {todo.length === 0 ? (
        <p className="muted">What needs a person appears here, with what to do about it.</p>
      ) : (
        <ul className="todo">
          {todo.map((entry, index) => (
            <TodoEntry key={entry.key} entry={entry} isFirst={index === 0} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function TodoEntry({ entry, isFirst }: { readonly entry: Todo; readonly isFirst: boolean }) {
  const { key, what, remedy, act, canPutAside } = entry
  const may = useMay()
  const aside = useAct(() => officeCall('POST /api/office/today/aside', { body: { key } }), {
    changes: [['today']],
    done: () => 'Put aside. It comes back if it happens again.',
    entry: (reply) => reply.entry,
  })
  return (
    <li>
      <span className="warning">
        <Icon of={WarningIcon} size={20} />
      </span>
      <div>
        <b className="strong">{what}</b>
        {!(act && isForTerminal(remedy)) && <small>{remedy}</small>}
        {aside.refusal && <small className="bad">{aside.refusal}</small>}
      </div>
      {act && <RemedyButton remedy={act} about={what} look={isFirst ? 'beak' : 'quiet'} />}
      {canPutAside && may('today.act') && (
        <IconButton
          label={`Dealt with: ${what}`}
          of={CheckIcon}
          aria-busy={aside.busy}
          onClick={() => void aside.write()}
        />
      )}
    </li>
  )
}

type Step = TodayReply['steps'][number]

/** Where each part of a step is done, and what the button there says. */
const STEP_PLACES: Readonly<Record<string, Pick<LinkProps, 'to' | 'hash'> & { readonly words: string }>> = {
  name: { to: '/settings', words: 'Name the shop' },
  title: { to: '/titles', words: 'Open the titles' },
  mail: { to: '/settings', hash: 'server', words: 'See how' },
  payments: { to: '/settings', hash: 'server', words: 'See how' },
  pages: { to: '/pages', words: 'Open the drafts' },
  seller: { to: '/settings', hash: 'seller', words: 'Name the seller' },
  backup: { to: '/health', words: 'See backups' },
}
const placeOf = ({ part, id }: Step) => STEP_PLACES[part ?? id]!

/** A shop that has sold nothing yet has no figures: its first steps are the page. */
function NewShop({ today: { steps, todo } }: { readonly today: TodayReply }) {
  const { name } = useMe()
  const hasBooks = steps.some(({ id, isDone }) => id === 'title' && isDone)
  const next = steps.find(({ isDone }) => !isDone)?.id
  return (
    <div className="new-shop">
      <Flock className="new-shop-flock" cropped />
      <Page
        title={`Welcome, ${name.split(' ')[0]}. ${hasBooks ? 'Your books are on the shelves.' : 'The shelves are still empty.'}`}
        sub="Do these in any order. Each ticks itself."
      >
        <section aria-labelledby="steps-title">
          <div className="section-head">
            <h2 id="steps-title">Settling in</h2>
            <span className="small">{countDone(steps)}</span>
          </div>
          <ol>
            {steps.map((step, index) => {
              const { words, ...place } = placeOf(step)
              return (
                <li key={step.id}>
                  {step.isDone ? (
                    <span className="good">
                      <Icon of={CheckCircleIcon} size={28} filled />
                    </span>
                  ) : (
                    <span aria-hidden="true">{index + 1}</span>
                  )}
                  <div>
                    <h3 className={step.isDone ? 'muted' : undefined}>
                      {step.title}
                      <span className="visually-hidden">{isDoneWords(step)}</span>
                    </h3>
                    {!step.isDone && <p>{step.help}</p>}
                  </div>
                  {!step.isDone && (
                    <LinkButton {...place} look={step.id === next ? 'beak' : 'quiet'}>
                      {words}
                    </LinkButton>
                  )}
                </li>
              )
            })}
          </ol>
        </section>
        {todo.length > 0 && <TodoList todo={todo} />}
      </Page>
    </div>
  )
}

const countDone = (steps: TodayReply['steps']): string =>
  `${steps.filter(({ isDone }) => isDone).length} of ${steps.length}`
const isDoneWords = ({ isDone }: Step): string => (isDone ? ', done' : ', not done yet')

const Steps = ({ steps }: { readonly steps: TodayReply['steps'] }) => (
  <section className="steps" aria-labelledby="steps-title">
    <div className="section-head">
      <h2 id="steps-title">Settling in</h2>
      <span className="small">{countDone(steps)}</span>
    </div>
    <ul>
      {steps.map((step) => {
        const { id, title, isDone, help } = step
        const { words: _words, ...place } = placeOf(step)
        return (
          <li key={id}>
            <span className={isDone ? 'good' : 'muted'}>
              <Icon of={isDone ? CheckCircleIcon : CircleIcon} size={22} filled={isDone} />
            </span>
            <div>
              {isDone ? (
                <span className="muted">{title}</span>
              ) : (
                <Link {...place} className="text-button">
                  {title}
                </Link>
              )}
              <span className="visually-hidden">{isDoneWords(step)}</span>
              {!isDone && <small>{help}</small>}
            </div>
          </li>
        )
      })}
    </ul>
  </section>
)

interface Figure {
  readonly name: ReactNode
  readonly yesterday: number | null
  readonly before: number | null
  readonly isMoney?: true
  /** More of it is good news. */
  readonly isGood?: true
}

function Yesterday({ today: { day, days, members, listeners } }: { readonly today: TodayReply }) {
  const may = useMay()
  const last = days.at(-1)
  const before = days.at(-8)
  const yesterday = daysBefore(day, 1)
  const weekBefore = daysBefore(day, 8)
  const salesLink = (name: string) => {
    const on = yesterday.toISOString().slice(0, 10)
    return may('sales.read') ? (
      <Link to="/sales" search={{ period: `${on}..${on}` }}>
        {name}
      </Link>
    ) : (
      name
    )
  }
  const figures: readonly Figure[] = [
    ...(last && before
      ? ([
          {
            name: (
              <Link to="/orders" search={{ paid: 'yesterday', state: 'settled' }}>
                Orders
              </Link>
            ),
            yesterday: last.orders,
            before: before.orders,
            isGood: true,
          },
          ...(last.takenMinor === null
            ? []
            : ([
                {
                  name: salesLink('Money taken'),
                  yesterday: last.takenMinor,
                  before: before.takenMinor,
                  isMoney: true,
                  isGood: true,
                },
                {
                  name: salesLink('Refunded'),
                  yesterday: last.refundedMinor,
                  before: before.refundedMinor,
                  isMoney: true,
                },
              ] as const)),
        ] as const)
      : []),
    ...(may('members.read')
      ? ([
          { name: membersLink('Members joined', { since: 'yesterday' }), ...members.joined, isGood: true },
          { name: membersLink('Members left', { state: 'lapsed' }), ...members.left },
          { name: membersLink('Payments that failed', { state: 'failing' }), ...members.failing },
        ] as const)
      : []),
    { name: 'People who listened', ...listeners, isGood: true },
  ]
  return (
    <Section title="Yesterday" note={`against the ${shortDay(weekBefore).long} before`}>
      <div className="today-figures">
        <table className="table">
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Figure</span>
              </th>
              <th className="num">{shortDay(yesterday).short}</th>
              <th className="num">{shortDay(weekBefore).short}</th>
              <th className="num">Change</th>
            </tr>
          </thead>
          <tbody>
            {figures.map((figure, index) => (
              <FigureRow key={index} figure={figure} />
            ))}
          </tbody>
        </table>
        {last && last.takenMinor !== null && <Money days={days} />}
      </div>
    </Section>
  )
}

const membersLink = (name: string, search: Readonly<Record<string, string>>) => (
  <Link to="/members" search={search}>
    {name}
  </Link>
)

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`)
const daysBefore = (day: string, count: number): Date => new Date(noon(day).getTime() - count * 86_400_000)

function FigureRow({ figure: { name, yesterday, before, isMoney, isGood } }: { readonly figure: Figure }) {
  const shown = (value: number | null) =>
    value === null ? 'few' : isMoney ? amount(value) : value.toLocaleString('en-GB')
  const change = yesterday === null || before === null ? null : yesterday - before
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="num strong">{shown(yesterday)}</td>
      <td className="num muted">{shown(before)}</td>
      <td className={isGood && change !== null && change > 0 ? 'num good' : 'num muted'}>
        {change === null ? '' : change === 0 ? 'the same' : `${change > 0 ? '+' : ''}${shown(change)}`}
      </td>
    </tr>
  )
}

function Money({ days }: { readonly days: TodayReply['days'] }) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className="today-money">
      <figcaption>
        <span className="strong">Money taken, last fourteen days</span>
        <TextButton aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as bars' : 'Show as a table'}
        </TextButton>
      </figcaption>
      {isTable ? (
        <table className="table dense">
          <thead>
            <tr>
              <th>Day</th>
              <th className="num">Orders</th>
              <th className="num">Taken</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, orders, takenMinor }) => (
              <tr key={day}>
                <td>{shortDay(new Date(`${day}T12:00:00Z`)).short}</td>
                <td className="num">{orders}</td>
                <td className="num">{amount(takenMinor ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <DayBars
          label="Money taken on each of the last fourteen days"
          days={days.map(({ day, takenMinor }) => ({ day, value: takenMinor ?? 0 }))}
          isCompared
        />
      )}
    </figure>
  )
}
