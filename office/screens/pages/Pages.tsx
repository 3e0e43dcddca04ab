import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import type { ListedDocument } from '#contract/office/documents.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { LinkButton, TextButton } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { BoneRows, Failed } from '../../ui/states.tsx'
import { until, when } from '../../ui/when.ts'

const KINDS: Readonly<Record<string, string>> = { page: 'Page', faq: 'Questions', menus: 'Menus' }

export function Pages() {
  const may = useMay()
  const { data, error, refetch } = useQuery({
    queryKey: ['pages'],
    queryFn: () => officeCall('GET /api/office/pages'),
  })
  return (
    <Page
      title="Pages"
      sub="What the shop says about itself, its questions and its menus."
      acts={
        may('pages.change') && (
          <LinkButton look="beak" icon={PlusIcon} to="/pages/new">
            Write a page
          </LinkButton>
        )
      }
    >
      {error && !data ? (
        <Failed what="The pages" problem={error} onRetry={() => void refetch()} />
      ) : (
        <table className="table keep" aria-busy={!data}>
          <thead>
            <tr>
              <th>Page</th>
              <th className="wide-only">Kind</th>
              <th className="wide-only">Last saved</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {!data && <BoneRows widths={[220, 80, 140, 120]} />}
            {data?.documents.map((row) => (
              <Row key={`${row.kind} ${row.key}`} row={row} />
            ))}
            {data?.toWrite.map(({ key, title }) => (
              <RowToWrite key={key} template={key} title={title} />
            ))}
          </tbody>
        </table>
      )}
      <Outlet />
    </Page>
  )
}

const Row = ({ row }: { readonly row: ListedDocument }) => (
  <tr>
    <td>
      <Link to="/pages/$kind/$key" params={{ kind: row.kind, key: row.key }} className="strong">
        {row.title || row.key}
      </Link>
    </td>
    <td className="wide-only muted">{KINDS[row.kind]}</td>
    <td className="wide-only muted">
      {row.savedBy && row.savedAt ? `${when(row.savedAt)}, ${row.savedBy}` : ''}
    </td>
    <td>
      <DocumentStateMark document={{ ...row, publishAt: row.at }} />
      {row.goneAt && <span className="muted small"> until {until(row.goneAt)}</span>}
    </td>
  </tr>
)

/** The law asks for it: a press begins it with a draft text, in which only the gaps are left to fill. */
function RowToWrite({ template, title }: { readonly template: string; readonly title: string }) {
  const may = useMay()
  const navigate = useNavigate()
  const { write, busy, refusal } = useAct(
    () => officeCall('POST /api/office/documents', { body: { kind: 'page', title, template } }),
    {
      changes: [['pages'], ['today']],
      onDone: ({ kind, key }) => void navigate({ to: '/pages/$kind/$key', params: { kind, key } }),
    },
  )
  return (
    <tr>
      <td>
        {may('pages.change') ? (
          <TextButton aria-busy={busy} onClick={() => void write()}>
            {title}
          </TextButton>
        ) : (
          title
        )}
        <Refusal message={refusal} />
      </td>
      <td className="wide-only muted">{KINDS.page}</td>
      <td className="wide-only muted">Never</td>
      <td className="muted">Not started. The law asks for it</td>
    </tr>
  )
}
