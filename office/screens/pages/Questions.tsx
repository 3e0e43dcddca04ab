import { DotsSixVerticalIcon } from '@phosphor-icons/react/dist/csr/DotsSixVertical'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import type { FaqContent } from '#contract/office/documents.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/cx.ts'
import type { Editing } from '../../documents/use-document.ts'
import { moved, replaced, useReorder } from '../../list/use-reorder.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import './pages.css'

type Category = FaqContent['categories'][number]
type Question = Category['questions'][number]

export function Questions({
  content: { categories },
  change,
}: Pick<Editing<FaqContent>, 'content' | 'change'>) {
  const set = (next: Category[]) => change(() => ({ categories: next }))
  const { list, moving, grip } = useReorder<HTMLDivElement>({
    count: categories.length,
    nameOf: (index) => categories[index]?.name || 'the group without a name',
    onMove: (from, to) => set(moved(categories, from, to)),
  })
  return (
    <div>
      <div ref={list}>
        {categories.map((category, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- groups have no number, and their names are typed
          <section key={at} className={cx('question-group', moving === at && 'is-moving')}>
            <div className="question-head">
              <button {...grip(at)}>
                <Icon of={DotsSixVerticalIcon} size={18} />
              </button>
              <Field
                label="Group"
                data-field={`categories.${at}.name`}
                value={category.name}
                onChange={({ target: { value } }) => set(replaced(categories, at, { name: value }))}
              />
              <IconButton
                label={`Remove the group ${category.name}`}
                of={XIcon}
                onClick={() => set(categories.filter((_, index) => index !== at))}
              />
            </div>
            <QuestionList
              at={at}
              questions={category.questions}
              onChange={(questions) => set(replaced(categories, at, { questions }))}
            />
          </section>
        ))}
      </div>
      <Button icon={PlusIcon} onClick={() => set([...categories, { name: '', questions: [] }])}>
        Add a group
      </Button>
    </div>
  )
}

function QuestionList({
  at,
  questions,
  onChange,
}: {
  readonly at: number
  readonly questions: readonly Question[]
  readonly onChange: (questions: Question[]) => void
}) {
  const { list, moving, grip } = useReorder<HTMLUListElement>({
    count: questions.length,
    nameOf: (index) => questions[index]?.question || 'the question without words',
    onMove: (from, to) => onChange(moved(questions, from, to)),
  })
  return (
    <>
      <ul ref={list}>
        {questions.map((question, index) => {
          const path = `categories.${at}.questions.${index}`
          const name = question.question || `question ${index + 1}`
          return (
            // oxlint-disable-next-line react/no-array-index-key -- questions have no number, and their words are typed
            <li key={index} className={cx('question', moving === index && 'is-moving')}>
              <div className="question-head">
                <button {...grip(index)}>
                  <Icon of={DotsSixVerticalIcon} size={18} />
                </button>
                <Field
                  label={question.published ? 'Question' : 'Question, hidden'}
                  data-field={`${path}.question`}
                  value={question.question}
                  onChange={({ target: { value } }) =>
                    onChange(replaced(questions, index, { question: value }))
                  }
                />
                <IconButton
                  label={`${question.published ? 'Hide' : 'Show'} “${name}”`}
                  of={question.published ? EyeIcon : EyeSlashIcon}
                  aria-pressed={!question.published}
                  onClick={() => onChange(replaced(questions, index, { published: !question.published }))}
                />
                <IconButton
                  label={`Remove “${name}”`}
                  of={XIcon}
                  onClick={() => onChange(questions.filter((_, place) => place !== index))}
                />
              </div>
              <TextAreaField
                label="Answer"
                data-field={`${path}.answer`}
                rows={4}
                value={question.answer}
                onChange={({ target: { value } }) => onChange(replaced(questions, index, { answer: value }))}
              />
            </li>
          )
        })}
      </ul>
      <Button
        compact
        icon={PlusIcon}
        onClick={() => onChange([...questions, { question: '', answer: '', published: true, part: null }])}
      >
        Add a question
      </Button>
    </>
  )
}
