import buildValidators from '@fastify/ajv-compiler'
import { SerializerSelector as buildSerializers } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

/**
 * The framework's own compilers, each schema compiled once in a process. Every route has the same answers for what goes
 * wrong: compiled for each of them they took most of a second of every start.
 */
export const compileSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildValidator: compiledOnce(buildValidators()),
    buildSerializer: compiledOnce(buildSerializers()),
  },
}

type Build<Schemas, Options, Route, Compiled> = (
  schemas: Schemas,
  options: Options,
) => (route: Route) => Compiled

function compiledOnce<Schemas, Options, Route, Compiled>(
  build: Build<Schemas, Options, Route, Compiled>,
): Build<Schemas, Options, Route, Compiled> {
  const compiled = new Map<string, Compiled>()
  return (schemas, options) => {
    const compile = build(schemas, options)
    const shared = JSON.stringify([schemas, options])
    return (route) => {
      const key = shared + JSON.stringify(Object(route).schema)
      const known = compiled.get(key) ?? compile(route)
      compiled.set(key, known)
      return known
    }
  }
}
