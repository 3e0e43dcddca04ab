import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PlannedMonth } from '#contract/office/documents.ts'
import { Thumb, useTitles } from '../../documents/TitlePicker.tsx'
import { officeCall } from '../../net/office-call.ts'
import { Page } from '../../ui/Page.tsx'
import { State } from '../../ui/State.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { monthAndYear } from '../../ui/when.ts'

const COVERS = 6

export function Months() {
  const { data, error, refetch } = useQuery({
    queryKey: ['months'],
    queryFn: () => officeCall('GET /api/office/months'),
  })
  const covers = useTitles([
    ...new Set(data?.months.flatMap(({ highlights }) => highlights.slice(0, COVERS)) ?? []),
  ])
  return (
    <Page
      title="Months"
      crumb={<Link to="/titles">Titles</Link>}
      sub={
        data && !data.isPlanned
          ? 'What members can choose from, month by month. Nothing is planned yet: the marks of each title decide.'
          : 'What members can choose from, month by month. A month starts automatically on its first day.'
      }
    >
      {error && !data ? (
        <Failed what="The months" problem={error} onRetry={() => void refetch()} />
      ) : (
        <table className="table keep" aria-busy={!data}>
          <thead>
            <tr>
              <th>Month</th>
              <th className="wide-only">Highlights</th>
              <th className="wide-only">Titles</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {!data && <BoneRows widths={[140, 220, 160, 120]} />}
            {data?.months.map((month) => (
              <tr key={month.month}>
                <td>
                  {month.state === 'past' ? (
                    monthAndYear(month.month)
                  ) : (
                    <Link to="/titles/months/$key" params={{ key: month.month }} className="strong">
                      {monthAndYear(month.month)}
                    </Link>
                  )}
                </td>
                <td className="wide-only">
                  <span className="month-covers">
                    {month.highlights.slice(0, COVERS).map((slug) => {
                      const title = covers.find((each) => each.slug === slug)
                      return title && <Thumb key={slug} {...title} />
                    })}
                  </span>
                </td>
                <td className="muted wide-only">
                  {counted(month.highlights.length, 'highlight')}, {counted(month.editions.length, 'edition')}
                </td>
                <td>
                  <MonthState month={month} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Page>
  )
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function MonthState({ month: { state, hasDraft } }: { readonly month: PlannedMonth }) {
  if (hasDraft && state !== 'past') return <State kind="half">Changed, not published</State>
  switch (state) {
    case 'current':
      return <State kind="on">In the shop</State>
    case 'planned':
      return <State kind="later">Planned</State>
    case 'as-before':
      return <State kind="none">As the month before</State>
    default:
      return <State kind="retired">Past</State>
  }
}
