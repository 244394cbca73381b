import { z } from 'zod';
import { ENDPOINT_GROUPS } from '#contract/api.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import { ERROR_MEANINGS, ERROR_STATUS, errorBodySchema, type ErrorCode } from '#contract/errors.ts';
import { SIGN_IN_COOKIE } from '#server/model/people/auth-cookie.ts';
import { isOptional, jsonSchema, openApiPath, operationId, possibleErrors } from './openapi.ts';
import { API_DOCS_STYLE } from './api-docs-style.ts';
import { html, type Html, withCode } from './html.ts';
import { parseJsonSchema } from './json-schema.ts';
import { makeExample } from './schema-example.ts';
import { type DocumentedField, listFields, nameType } from './schema-fields.ts';

/** The table of endpoints as a page for people: no script, nothing from elsewhere. */
export function apiDocsPage({ version }: { version: string }): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pitboard API</title>
        <link rel="icon" href="data:," />
        <style>
          ${{ html: API_DOCS_STYLE }}
        </style>
      </head>
      <body>
        <header>
          <p><a href="/">Pitboard</a></p>
          <h1>The API</h1>
          <p>
            Version ${version}. For programs the same as an
            <a href="/api/openapi.json">OpenAPI document</a>.
          </p>
        </header>
        <nav aria-label="Calls">
          ${ENDPOINT_GROUPS.map(([heading, endpoints]) => contents(heading, endpoints))}
        </nav>
        <main>
          ${introduction()}
          ${ENDPOINT_GROUPS.map(
            ([heading, endpoints]) =>
              html`<section aria-labelledby="${makeAnchor(heading)}">
                <h2 id="${makeAnchor(heading)}">${heading}</h2>
                ${endpoints.map(call)}
              </section>`,
          )}
        </main>
      </body>
    </html>`;
  return page.html;
}

function contents(heading: string, endpoints: readonly Endpoint[]): Html {
  return html`<details>
    <summary>${heading}</summary>
    <ul>
      ${endpoints.map(
        (endpoint) =>
          html`<li><a href="#${operationId(endpoint)}">${endpoint.method} ${openApiPath(endpoint)}</a></li>`,
      )}
    </ul>
  </details>`;
}

function introduction(): Html {
  return html`<section aria-labelledby="introduction">
    <h2 id="introduction">Before the first call</h2>
    <p>
      ${withCode(
        `Who signs in in a browser has the cookie \`${SIGN_IN_COOKIE}\`, and calls are made with it. Calls that change something must come from our own pages or from a program that is no browser. Times are whole milliseconds, lengths are metres, positions are degrees.`,
      )}
    </p>
    <h3 id="errors">Errors</h3>
    <p>
      ${withCode(
        'A call that fails answers its status and a body of this shape. For `POST /api/upload` the `error` field is the sentence itself.',
      )}
    </p>
    ${example(errorBodySchema, 'output')}
    <dl>
      ${Object.entries(ERROR_STATUS).map(([code, status]) => term(`${status} ${code}`, '', describeMeaning(code)))}
    </dl>
  </section>`;
}

function describeMeaning(code: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A key of the table of codes.
  return ERROR_MEANINGS[code as ErrorCode];
}

const WHO: Record<Access, string> = {
  public: 'Anybody may call it.',
  signed_in: 'For who is signed in.',
  moderator: 'For moderators and administrators.',
  admin: 'For administrators.',
};

function call(endpoint: Endpoint): Html {
  const { summary, access, params, query, body, multipart, rawBody, response } = endpoint;
  const id = operationId(endpoint);
  return html`<article aria-labelledby="${id}">
    <h3 id="${id}">
      <a href="#${id}"><span class="method">${endpoint.method}</span> ${openApiPath(endpoint)}</a>
    </h3>
    <p>${withCode(summary)} <span class="who">${WHO[access]}</span></p>
    ${fieldList('In the path', params && requestFields(params, true))}
    ${fieldList('In the query', query && requestFields(query))}
    ${fieldList('JSON body', body && listFields(parseJsonSchema(jsonSchema(body, 'input'))))}
    ${body ? example(body, 'input') : null}
    ${fieldList('Form (multipart/form-data)', multipart && formFields(multipart))}
    ${rawBody ? html`<p>The body is the file, of at most ${rawBody.bytesMax} bytes.</p>` : null}
    ${answer(response)}
    <h4>Errors</h4>
    <dl>
      ${possibleErrors(endpoint).map(({ code, meaning }) => term(`${ERROR_STATUS[code]} ${code}`, '', meaning))}
    </dl>
  </article>`;
}

function answer(response: Endpoint['response']): Html {
  if (response === 'redirect')
    return html`<h4>Answer</h4>
      <p>The browser is sent on to another address.</p>`;
  if (typeof response === 'string')
    return html`<h4>Answer</h4>
      <p>A file: <code>${response}</code>.</p>`;
  const schema = parseJsonSchema(jsonSchema(response, 'output'));
  const fields = listFields(schema);
  return html`${
    fields.length === 0
      ? html`<h4>Answer</h4>
          <p>${nameType(schema)}</p>`
      : fieldList('Answer', fields)
  }
  ${example(response, 'output')}`;
}

function example(schema: z.ZodType, io: 'input' | 'output'): Html {
  const value = makeExample(parseJsonSchema(jsonSchema(schema, io)));
  return html`<details class="example">
    <summary>Example</summary>
    <pre><code>${JSON.stringify(value, null, 2)}</code></pre>
  </details>`;
}

function requestFields(schema: z.ZodObject, isRequired?: boolean): DocumentedField[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const plain = parseJsonSchema(jsonSchema(field, 'input'));
    const description = plain.description ?? null;
    return { name, type: nameType(plain), isRequired: isRequired ?? !isOptional(field), description };
  });
}

function formFields({ fileField, maxFiles, fields }: NonNullable<Endpoint['multipart']>): DocumentedField[] {
  const type = maxFiles === 1 ? 'file' : `files, at most ${maxFiles}`;
  return [{ name: fileField, type, isRequired: true, description: null }, ...requestFields(fields)];
}

function fieldList(heading: string, fields: readonly DocumentedField[] | undefined): Html | null {
  if (!fields || fields.length === 0) return null;
  return html`<h4>${heading}</h4>
    <dl>
      ${fields.map(({ name, type, isRequired, description }) =>
        term(name, isRequired ? type : `${type}; may be missing`, description),
      )}
    </dl>`;
}

function term(name: string, type: string, description: string | null): Html {
  return html`<div>
    <dt><code>${name}</code></dt>
    <dd>
      ${type === '' ? null : html`<span class="type">${type}</span>`}
      ${description === null ? null : withCode(description)}
    </dd>
  </div>`;
}

function makeAnchor(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
