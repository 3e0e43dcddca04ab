import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Refusal } from '#writes/Refusal.tsx'
import { Icon } from '#ui/Icon.tsx'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { Button, TextButton } from '../ui/Button.tsx'
import { Field, Form } from '../ui/Field.tsx'
import type { BuiltInView, ListSearch } from './list-types.ts'
import { PopButton } from './PopButton.tsx'
import { useListSearch } from './use-list-search.ts'

const viewsQuery = (list: string) =>
  queryOptions({
    queryKey: ['views', list],
    queryFn: () => officeCall('GET /api/office/views/{list}', { params: { list } }),
  })

interface ViewsProps {
  readonly list: string
  readonly builtIn: readonly BuiltInView[]
}

/** Saved views of a list: its address under a name. The ones that everybody has come first. */
export function Views({ list, builtIn }: ViewsProps) {
  const { search } = useListSearch()
  const { data } = useQuery(viewsQuery(list))
  const own = data?.views ?? []
  const current = own.find((view) => isSame(view.search, search))
  const isKnown = current !== undefined || builtIn.some((view) => isSame(view.search, search))
  const remove = useAct(
    (id: string) => officeCall('DELETE /api/office/views/{list}/{id}', { params: { list, id } }),
    { changes: [['views', list]], done: () => 'The view is removed; the list is as it was.' },
  )
  return (
    <nav className="views" aria-label="Saved views">
      {[...builtIn, ...own].map(({ name, search: its }) => (
        <Link
          key={`${name} ${JSON.stringify(its)}`}
          to="."
          search={{ ...its }}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {name}
        </Link>
      ))}
      <span className="push">
        {current ? (
          <TextButton onClick={() => void remove.write(current.id)}>Remove this view</TextButton>
        ) : (
          !isKnown && <SaveView list={list} search={search} />
        )}
      </span>
    </nav>
  )
}

function SaveView({ list, search }: { readonly list: string; readonly search: ListSearch }) {
  const [isOpen, setOpen] = useState(false)
  const form = useForm({ defaultValues: { name: '' } })
  const save = useAct(
    ({ name }: { readonly name: string }) =>
      officeCall('POST /api/office/views/{list}', {
        params: { list },
        body: { name, search: { ...search } },
      }),
    {
      changes: [['views', list]],
      form: { setError: form.setError, fields: ['name'] },
      onDone: () => {
        setOpen(false)
        form.reset()
      },
    },
  )
  return (
    <PopButton
      className="save-view"
      title="Save this view"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={
        <>
          <Icon of={PlusIcon} size={14} />
          Save this view
        </>
      }
    >
      <Form onSubmit={form.handleSubmit((given) => void save.write(given))}>
        <Refusal message={save.refusal} />
        <Field
          label="Name"
          maxLength={40}
          error={form.formState.errors.name?.message}
          {...form.register('name', { required: 'Type a name.' })}
        />
        <Button type="submit" look="solid" compact busy={save.busy} sends>
          Save
        </Button>
      </Form>
    </PopButton>
  )
}

const isSame = (a: ListSearch, b: ListSearch): boolean => {
  const sorted = (search: ListSearch) =>
    JSON.stringify(Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return sorted(a) === sorted(b)
}
