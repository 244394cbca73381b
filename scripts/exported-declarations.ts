import { parseSync } from 'vite';

/** One thing that a module exports, as its source gives it. */
export type ExportedDeclaration = {
  name: string;
  kind: 'function' | 'class' | 'type' | 'constant';
  /** The declaration as it is written, without the body of a function and without `export`. */
  signature: string;
  /** The text of the doc comment right before it, without its asterisks; null where there is none. */
  comment: string | null;
  /** Counted from 1. */
  line: number;
};

type Statement = ReturnType<typeof parseSync>['program']['body'][number];
type Declaration = NonNullable<Extract<Statement, { type: 'ExportNamedDeclaration' }>['declaration']>;

/** What a TypeScript module exports by declarations, in the order of its source. Throws where the source cannot be parsed. */
export function exportedDeclarations(path: string, source: string): ExportedDeclaration[] {
  const { program, comments, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
    const comment = comments.findLast(({ end }) => end <= statement.start);
    const isBefore = comment !== undefined && source.slice(comment.end, statement.start).trim() === '';
    const isDoc = isBefore && comment.type === 'Block' && comment.value.startsWith('*');
    return [
      {
        ...namedKind(statement.declaration),
        signature: readSignature(statement.declaration, source),
        comment: isDoc ? readText(comment.value) : null,
        line: source.slice(0, statement.start).split('\n').length,
      },
    ];
  });
}

function namedKind(declaration: Declaration): Pick<ExportedDeclaration, 'name' | 'kind'> {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration': {
      const kind = declaration.type === 'ClassDeclaration' ? 'class' : 'function';
      return { name: declaration.id?.name ?? '', kind };
    }
    case 'VariableDeclaration':
      return { name: nameOfVariable(declaration.declarations[0]?.id), kind: 'constant' };
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return { name: declaration.id.name, kind: 'type' };
    default:
      throw new Error(`An export that the documentation does not know: ${declaration.type}`);
  }
}

function nameOfVariable(
  id: Extract<Declaration, { type: 'VariableDeclaration' }>['declarations'][number]['id'] | undefined,
): string {
  return id?.type === 'Identifier' ? id.name : '';
}

function readSignature(declaration: Declaration, source: string): string {
  const hasBody = declaration.type === 'FunctionDeclaration' && declaration.body !== null;
  const end = hasBody && declaration.body !== null ? declaration.body.start : declaration.end;
  return source.slice(declaration.start, end).trim();
}

/** The lines of a doc comment without their asterisks. */
function readText(comment: string): string {
  return comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}
