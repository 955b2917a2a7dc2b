// `operations …` and `articles …`, as they are typed.

import { Argument } from 'commander';
import { type Add, article, examples, ifMatch, max } from '#client/cli/arguments.ts';
import {
  deleteArticleCommand,
  getArticleCommand,
  listArticlesCommand,
  putArticleCommand,
} from '#client/cli/article-commands.ts';
import { abandonOperationCommand, showOperationCommand } from '#client/cli/operation-commands.ts';

export const addOperations: Add = (program, run) => {
  const operations = program.command('operations').description('intents by their idempotency key');
  const key = () => new Argument('<key>', 'idempotency key');
  operations
    .command('show')
    .description('what became of an intent')
    .addArgument(key())
    .action((value: string) => run('read', (commands) => showOperationCommand(value, commands)));
  operations
    .command('abandon')
    .description('make sure that an intent will not be executed')
    .addArgument(key())
    .action((value: string) =>
      run('effect', (commands) => abandonOperationCommand(value, commands)),
    );
};

export const addArticles: Add = (program, run) => {
  const articles = program.command('articles').description('own articles, the material of exports');
  articles
    .command('put')
    .description('create or replace an article')
    .addArgument(article())
    .argument('<file>', 'Markdown; - reads standard input')
    .requiredOption('--title <title>')
    .option('--language <tag>', 'BCP 47, for example en')
    .addOption(ifMatch())
    .option('--if-absent', 'only if there is none', false)
    .addHelpText('after', examples('articles put a-1 a-1.md --title "First article" --language en'))
    .action((articleId: string, file: string, flags) =>
      run('effect', (commands) => putArticleCommand({ articleId, file, ...flags }, commands)),
    );
  articles
    .command('get')
    .description('print the text of an article')
    .addArgument(article())
    .addHelpText('after', examples('articles get a-1 > a-1.md'))
    .action((articleId: string) =>
      run('read', (commands) => getArticleCommand(articleId, commands)),
    );
  articles
    .command('list')
    .description('list own articles')
    .addOption(max())
    .action(({ max: count }) =>
      run('read', (commands) => listArticlesCommand({ max: count }, commands)),
    );
  articles
    .command('delete')
    .description('delete an article; one that is not there is no failure')
    .addArgument(article())
    .addOption(ifMatch())
    .action((articleId: string, flags) =>
      run('effect', (commands) => deleteArticleCommand(articleId, flags, commands)),
    );
};
