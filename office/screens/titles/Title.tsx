import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { NetProblem } from '#net/problem.ts'
import { BoneBox, BoneButtons, BoneField, Bones } from '../../ui/Bones.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { titleQuery } from './title-query.ts'
import { TitleEditor } from './TitleEditor.tsx'
import './titles.css'

export function Title() {
  const { slug } = useParams({ from: '/shell/titles/$slug' })
  const { data, error, refetch } = useQuery(titleQuery(slug))
  const crumb = (
    <>
      <Link to="/titles">Titles</Link> <span>{data?.books[0]?.title ?? slug}</span>
    </>
  )
  if (data)
    return (
      <>
        <TitleEditor key={slug} title={data} crumb={crumb} />
        <Outlet />
      </>
    )
  return (
    <Page title="Title" crumb={crumb} acts={error ? undefined : <BoneButtons widths={[64]} />}>
      {error instanceof NetProblem && error.status === 404 ? (
        <Empty title="There is no such title." help="It may have been deleted, or its address has changed." />
      ) : error ? (
        <Failed what="The title" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Bones what="the title">
          <div className="title-editor">
            <div className="form">
              <BoneField />
              <div className="fields">
                <BoneField />
                <BoneField />
                <BoneField />
                <BoneField />
              </div>
              <BoneField />
              <BoneField isText />
            </div>
            <BoneBox />
          </div>
        </Bones>
      )}
    </Page>
  )
}
