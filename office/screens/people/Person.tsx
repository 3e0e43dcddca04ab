import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { OwnMembership, WholePerson } from '#contract/office/people.ts'
import { amount } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { Icon } from '#ui/Icon.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useAct, useBusy } from '../../net/use-act.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { PopButton } from '../../list/PopButton.tsx'
import { BoneButtons, Bones, BoneSection, BoneSub } from '../../ui/Bones.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { exactly, lastSeen, onDay, when } from '../../ui/when.ts'
import { Listening } from './Listening.tsx'
import { MemberStateMark } from './person-words.tsx'
import { changesOf, personQuery } from './person-query.ts'
import { PrivateNote } from './PrivateNote.tsx'
import './people.css'

export function PersonPage() {
  const { id } = useParams({ from: '/shell/people/$id' })
  const { data: person, error, refetch } = useQuery(personQuery(id))
  const isMissing = error instanceof NetProblem && (error.status === 404 || error.status === 400)
  if (!person)
    return (
      <Page
        title={isMissing ? 'Nobody' : 'Person'}
        crumb={<Link to="/people">People</Link>}
        sub={error ? undefined : <BoneSub />}
        acts={error ? undefined : <BoneButtons widths={[180, 190, 36]} />}
      >
        {isMissing ? (
          <Empty
            title="There is no such person."
            help="If they closed their account, their orders are still there, without a name."
          />
        ) : error ? (
          <Failed what="The person" problem={error} onRetry={() => void refetch()} />
        ) : (
          <Bones what="the person">
            <div className="person">
              <div>
                <BoneSection lines={4} />
                <BoneSection lines={4} />
              </div>
              <div>
                <BoneSection lines={5} />
                <BoneSection lines={2} />
              </div>
            </div>
          </Bones>
        )}
      </Page>
    )
  return (
    <Page
      title={person.name}
      crumb={
        <>
          <Link to="/people">People</Link> <span>{person.name}</span>
        </>
      }
      sub={
        <span className="person-facts">
          <span>
            {person.email}, {person.isConfirmed ? 'confirmed' : 'not confirmed'}
          </span>
          {person.country && <span>{countryNames.of(person.country)}</span>}
          <span>here since {onDay(person.since)}</span>
          {person.bookshop && <span>the account of {person.bookshop}</span>}
        </span>
      }
      acts={<Acts person={person} />}
    >
      <Problems person={person} />
      <div className="person">
        <div>
          <Titles person={person} />
          <Orders person={person} />
          <Presents person={person} />
          <Emails person={person} />
          <Done person={person} />
        </div>
        <div>
          <Membership person={person} />
          <Devices person={person} />
          <PrivateNote key={person.id} person={person} />
          <Listening key={`listening ${person.id}`} person={person} />
        </div>
      </div>
      <Outlet />
    </Page>
  )
}

function Acts({ person }: { readonly person: WholePerson }) {
  const { id, firstName, isConfirmed, blockedSince, bookshop, devices } = person
  const may = useMay()
  const navigate = useNavigate()
  const changes = changesOf(id)
  const params = { id }
  const confirm = useAct(
    () => officeCall('POST /api/office/people/{id}/confirmation', { params, body: {} }),
    { changes, done: ({ what }) => `${what}.` },
  )
  const logOut = useAct(() => officeCall('POST /api/office/people/{id}/log-out', { params, body: {} }), {
    changes,
    done: () => `${firstName} is logged out everywhere.`,
  })
  const unblock = useAct(() => officeCall('POST /api/office/people/{id}/unblock', { params, body: {} }), {
    changes,
    done: () => `${firstName} can log in again.`,
  })
  const download = useBusy()
  const [isOpen, setOpen] = useState(false)
  const choose = (does: () => void) => () => {
    setOpen(false)
    does()
  }
  const go = (act: string) => choose(() => void navigate({ to: '/people/$id/$act', params: { id, act } }))
  const saveData = async () =>
    saveFile(await officeFile('GET /api/office/people/{id}/export', { params }), 'their-data.json')
  const entries: readonly (readonly [label: string, does: () => void, isShown?: boolean])[] = [
    ['Confirm their address', choose(() => void confirm.write()), !isConfirmed],
    ['Correct their address', go('address'), !bookshop],
    ['Give a free copy of a title', go('title')],
    ['Give a membership', go('membership')],
    ['Log out everywhere', choose(() => void logOut.write()), devices.length > 0],
    ['Block the account', go('block'), !blockedSince],
    ['Let them log in again', choose(() => void unblock.write()), blockedSince !== null],
    ['Download their data', choose(() => void download.run(saveData)), may('people.export')],
    ['Close the account', go('close'), may('people.close') && !bookshop],
  ]
  return (
    may('people.change') && (
      <>
        <LinkButton icon={GiftIcon} to="/people/$id/$act" params={{ id, act: 'audiobook' }}>
          Give a free audiobook
        </LinkButton>
        <LinkButton icon={EyeIcon} to="/people/$id/$act" params={{ id, act: 'view' }}>
          See the shop as {firstName}
        </LinkButton>
        <PopButton
          className="icon-button"
          title={`More for ${firstName}`}
          align="end"
          isOpen={isOpen}
          onOpenChange={setOpen}
          label={
            <>
              <Icon of={DotsThreeIcon} size={20} />
              <span className="visually-hidden">More</span>
            </>
          }
        >
          {entries.map(
            ([label, does, isShown = true]) =>
              isShown && (
                <button key={label} type="button" className="pop-row" onClick={does}>
                  {label}
                </button>
              ),
          )}
        </PopButton>
        <Refusal message={confirm.refusal || logOut.refusal || unblock.refusal} />
      </>
    )
  )
}

function Problems({ person: { problems, pendingEmail, blockedSince } }: { readonly person: WholePerson }) {
  return (
    <>
      {problems.map(({ what, order }) => (
        <div key={what} className="person-alert">
          <Icon of={WarningCircleIcon} size={20} />
          <p>{what}</p>
          {order && (
            <LinkButton compact look="beak" to="/orders/$number" params={{ number: order }}>
              Open {order}
            </LinkButton>
          )}
        </div>
      ))}
      {blockedSince && (
        <p className="note person-line">Blocked since {onDay(blockedSince)}: they can’t log in.</p>
      )}
      {pendingEmail && <p className="note person-line">Is changing to {pendingEmail}, not confirmed yet.</p>}
    </>
  )
}

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region' })

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']
const counted = (count: number, one: string): string =>
  `${COUNTS[count] ?? count} ${one}${count === 1 ? '' : 's'}`

const Titles = ({ person: { titles } }: { readonly person: WholePerson }) => (
  <Section title={counted(titles.length, 'title')}>
    {titles.length > 0 && (
      <table className="table tall keep">
        <thead>
          <tr>
            <th>Title</th>
            <th className="wide-only">How it came</th>
            <th className="num">When</th>
          </tr>
        </thead>
        <tbody>
          {titles.map(({ format, slug, title, cover, came, order, at }) => (
            <tr key={`${format} ${slug}`}>
              <td>
                <span className="with-picture">
                  {cover ? <img src={cover} alt="" className="person-cover" loading="lazy" /> : null}
                  <span className="two-lines">
                    <b className="strong">{title}</b>
                    <small>{format === 'audio_book' ? 'Audiobook' : 'E-book'}</small>
                  </span>
                </span>
              </td>
              <td className="wide-only">
                {order ? (
                  <Link to="/orders/$number" params={{ number: order }} className="strong">
                    {order}
                  </Link>
                ) : (
                  came
                )}
              </td>
              <td className="num muted nowrap">
                <time dateTime={at} title={exactly(at)}>
                  {onDay(at)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Section>
)

const Orders = ({ person: { orders, paidMinor } }: { readonly person: WholePerson }) =>
  orders.length > 0 && (
    <Section title={counted(orders.length, 'order')} note={`${amount(paidMinor)} kept`}>
      <table className="table tall keep">
        <thead>
          <tr>
            <th>Order</th>
            <th className="wide-only">State</th>
            <th className="num">Total</th>
          </tr>
        </thead>
        <tbody>
          {orders.map(({ number, at, titles, totalMinor, state }) => (
            <tr key={number}>
              <td>
                <OrderName number={number} note={`${onDay(at)}, ${titles}`} />
              </td>
              <td className="wide-only">{state}</td>
              <td className="num">{amount(totalMinor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )

const OrderName = ({ number, note }: { readonly number: string; readonly note: string }) => (
  <span className="two-lines">
    <Link to="/orders/$number" params={{ number }} className="strong">
      {number}
    </Link>
    <small>{note}</small>
  </span>
)

const Presents = ({ person: { presents } }: { readonly person: WholePerson }) =>
  presents.length > 0 && (
    <Section title="Presents">
      <ul className="person-events">
        {presents.map(({ at, what, who, isGiven, state }, index) => (
          <li key={index}>
            <time dateTime={at} title={exactly(at)}>
              {onDay(at)}
            </time>
            <Icon of={GiftIcon} size={18} />
            <p>
              {what} {isGiven ? `for ${who}` : `from ${who}`} <small>{state}</small>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )

const SENT = { sent: 'Sent', waiting: 'Waiting', failed: 'Given up' } as const

const Emails = ({ person: { id, emails } }: { readonly person: WholePerson }) => (
  <Section title="What we sent" note="in the last 90 days">
    {emails.length === 0 ? (
      <p className="muted">Nothing.</p>
    ) : (
      <ul className="person-events">
        {emails.map((email) => (
          <li key={email.id}>
            <time dateTime={email.at} title={exactly(email.at)}>
              {onDay(email.at)}
            </time>
            <Icon of={EnvelopeSimpleIcon} size={18} />
            <p>
              <Link to="/people/$id/emails/$mail" params={{ id, mail: email.id }} className="text-button">
                {email.subject}
              </Link>{' '}
              <small className={email.state === 'failed' ? 'bad' : undefined}>{SENT[email.state]}</small>
            </p>
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const Done = ({ person: { activity } }: { readonly person: WholePerson }) =>
  activity.length > 0 && (
    <Section title="What the team did">
      <ul className="person-events plain-events">
        {activity.map(({ at, by, what, because }, index) => (
          <li key={index}>
            <time dateTime={at} title={exactly(at)}>
              {when(at)}
            </time>
            <p>
              {by}: {what} {because && <small>“{because}”</small>}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )

function Membership({
  person: { id, memberships, credits, creditsUntil },
}: {
  readonly person: WholePerson
}) {
  const may = useMay()
  const [newest, ...earlier] = memberships.toSorted(
    (a, b) => Number(b.isRunning) - Number(a.isRunning) || b.since.localeCompare(a.since),
  )
  return (
    <Section title="Membership">
      {newest ? <MembershipFacts membership={newest} /> : <p className="muted">Never a member.</p>}
      {credits > 0 && (
        <p>
          {counted(credits, 'free audiobook')} to choose
          {creditsUntil && ` by ${onDay(new Date(Date.parse(creditsUntil) - 1).toISOString())}`}.
        </p>
      )}
      {earlier.map(({ id: key, plan, since, until }) => (
        <p key={key} className="small muted">
          {plan}, {onDay(since)} to {onDay(until)}
        </p>
      ))}
      {newest?.isRunning && may('members.change') && (
        <LinkButton compact to="/people/$id/$act" params={{ id, act: 'end' }}>
          End the membership
        </LinkButton>
      )}
    </Section>
  )
}

function MembershipFacts({ membership }: { readonly membership: OwnMembership }) {
  const { plan, state, since, until, next, paysWith, failing, attempts } = membership
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Plan</dt>
          <dd>{plan}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>
            <MemberStateMark state={state} />
          </dd>
        </div>
        <div>
          <dt>Member since</dt>
          <dd>{onDay(since)}</dd>
        </div>
        <div>
          <dt>{next ? 'Next payment' : state === 'lapsed' ? 'Was over' : 'Ends'}</dt>
          <dd>{next ? `${amount(next.minor)} on ${onDay(next.at)}` : onDay(until)}</dd>
        </div>
        {paysWith && (
          <div>
            <dt>Pays with</dt>
            <dd>{paysWith}</dd>
          </div>
        )}
        {failing && (
          <div>
            <dt>Failing since</dt>
            <dd>
              {onDay(failing.since)}
              {failing.owesMinor !== null && `, owes ${amount(failing.owesMinor)}`}; benefits until{' '}
              {onDay(failing.benefitsUntil)}
            </dd>
          </div>
        )}
      </dl>
      {attempts.length > 0 && (
        <details className="person-attempts">
          <summary>What was tried to pay with</summary>
          <ul>
            {attempts.map(({ at, what }) => (
              <li key={at}>
                {when(at)}: {what}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

const Devices = ({ person: { devices } }: { readonly person: WholePerson }) => (
  <Section title="Where they’re logged in">
    {devices.length === 0 ? (
      <p className="muted">Nowhere.</p>
    ) : (
      <dl className="facts">
        {devices.map(({ name, lastSeenAt, viewedBy }, index) => (
          <div key={index}>
            <dt>{viewedBy ? `${viewedBy}, who sees the shop as them` : name}</dt>
            <dd>{lastSeen(lastSeenAt)}</dd>
          </div>
        ))}
      </dl>
    )}
  </Section>
)
