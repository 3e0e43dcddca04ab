import { useQuery } from '@tanstack/react-query'
import type { ChosenTitle, HomeContent, HomePanelContent } from '#contract/office/documents.ts'
import { coverAddress, useTitles } from '../../documents/TitlePicker.tsx'
import { officeCall } from '../../net/office-call.ts'
import { SECTIONS } from './sections.ts'

interface PanelLookProps {
  readonly panel: HomePanelContent
  readonly content: HomeContent
}

/** A panel as it looks in the shop, smaller. */
export function PanelLook({ panel, content }: PanelLookProps) {
  const holds = SECTIONS[panel.section]?.holds
  if (holds === 'picks') return <Opening panel={panel} content={content} />
  if (panel.section === 'featuredAudioBook') return <Featured panel={panel} content={content} />
  return (
    <div className="panel-look">
      <h2>
        <Heading title={panel.title} />
      </h2>
      {holds === 'texts' ? (
        <p className="muted panel-text">{content.aboutText || 'Nothing is written yet.'}</p>
      ) : holds === 'pieces' ? (
        <Pieces />
      ) : (
        <Covers panel={panel} content={content} />
      )}
    </div>
  )
}

/** One word between stars is in italics. */
function Heading({ title }: { readonly title: string }) {
  const [before, italic, after] = /^([^*]*)\*([^*]+)\*([^*]*)$/.exec(title)?.slice(1) ?? [title]
  return (
    <>
      {before}
      {italic && <em>{italic}</em>}
      {after}
    </>
  )
}

const useMarked = () =>
  useQuery({
    queryKey: ['choices', 'marked'],
    queryFn: () => officeCall('GET /api/office/choices/marked'),
    staleTime: 60_000,
  }).data

/** The titles that the panel shows: the owner's choice, otherwise the automatic selection. */
function usePanelTitles(
  { section, titles }: HomePanelContent,
  { guestPicks }: HomeContent,
): readonly ChosenTitle[] {
  const slugs = section === 'guestPicks' ? guestPicks : titles
  const chosen = useTitles(slugs ?? [])
  const marked = useMarked()?.sections.find((each) => each.section === section)?.titles ?? []
  return slugs ? chosen : marked
}

function Covers({ panel, content }: PanelLookProps) {
  const titles = usePanelTitles(panel, content)
  if (titles.length === 0)
    return <p className="muted panel-text">{SECTIONS[panel.section]?.help ?? 'A heading alone.'}</p>
  return (
    <div className="panel-covers">
      {titles.slice(0, 6).map((title) => (
        <Cover key={title.slug} title={title} />
      ))}
    </div>
  )
}

const Cover = ({ title: { coverId, title, background } }: { readonly title: ChosenTitle }) => (
  <span className="panel-cover" style={{ background: background ?? undefined }}>
    {coverId ? (
      <img src={coverAddress(coverId, '330')} alt={title} width={92} height={92} loading="lazy" />
    ) : (
      <span>{title}</span>
    )}
  </span>
)

function Opening({ panel, content }: PanelLookProps) {
  const pick = content.staffPicks.find(({ visible }) => visible)
  const [title] = useTitles(pick?.audioBook ? [pick.audioBook] : [])
  return (
    <div className="panel-look opening">
      <div>
        <h2>
          <Heading title={panel.title} />
        </h2>
        <p className="muted panel-text">{content.introText.visitor}</p>
      </div>
      {title && <Band title={title} />}
    </div>
  )
}

function Featured({ panel, content }: PanelLookProps) {
  const [title] = usePanelTitles(panel, content)
  return title ? (
    <div className="panel-look band">
      <Band title={title} above={panel.title} />
    </div>
  ) : (
    <div className="panel-look">
      <h2>{panel.title}</h2>
      <p className="muted panel-text">{SECTIONS.featuredAudioBook?.help}</p>
    </div>
  )
}

const Band = ({ title, above }: { readonly title: ChosenTitle; readonly above?: string }) => (
  <div
    className="panel-band"
    style={{ background: title.background ?? undefined, color: title.ink ?? undefined }}
  >
    <Cover title={title} />
    <p>
      {above && <small>{above.replaceAll('*', '')}</small>}
      <b>{title.title}</b>
      <small>{title.by}</small>
    </p>
  </div>
)

function Pieces() {
  const pieces = useMarked()?.pieces ?? []
  return pieces.length === 0 ? (
    <p className="muted panel-text">No piece is marked for it.</p>
  ) : (
    <ul className="panel-pieces">
      {pieces.slice(0, 4).map((title) => (
        <li key={title}>{title}</li>
      ))}
    </ul>
  )
}
