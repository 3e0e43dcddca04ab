import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { Prose } from '#features/pages/Prose.tsx'
import { faqQuery } from '#features/pages/queries.ts'
import { Accordion } from '#ui/Accordion.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/faq')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(faqQuery()),
  component: FaqScreen,
})

/** INFO-01. */
function FaqScreen() {
  const { data } = useSuspenseQuery(faqQuery())
  const categories = data.filter(({ faqsPublished }) => faqsPublished.length > 0)
  const [chosen, setChosen] = useState(categories[0]?.name ?? '')
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Questions and answers"
        description="Listening offline, buying, giving and everything else we are asked."
        canonical="/faq"
      />
      <PageTop title="Questions and answers" />
      <div className={styles.body}>
        <Tabs
          label="Categories"
          value={chosen}
          onChange={setChosen}
          items={categories.map(({ name, faqsPublished }) => ({
            value: name,
            label: name,
            content: (
              <Accordion
                level="h2"
                className={styles.answers}
                items={faqsPublished.map(({ question, answer }) => ({
                  value: question,
                  title: question,
                  content: <Prose html={answer} />,
                }))}
              />
            ),
          }))}
        />
      </div>
    </Wrap>
  )
}
