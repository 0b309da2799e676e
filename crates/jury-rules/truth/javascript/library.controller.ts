import { Body, Controller, Get, Param, ParseIntPipe, Patch, Post, Query, Res } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import type { Response } from "express";
import { DataSource, Repository } from "typeorm";
import { Book } from "./book.entity";

export class LibraryService {
  constructor(
    private readonly source: DataSource,
    private readonly books: Repository<Book>,
    private readonly web: HttpService,
  ) {}

  add(given: any) {
    const book = this.books.create();
    Object.assign(book, given);
    return this.books.save(book);
  }

  rename(id: number, title: string) {
    const change = { title };
    return this.books.update(id, Object.assign({}, change));
  }

  cover(address: string) {
    return this.web.get(address, { responseType: "arraybuffer" });
  }

  catalogue(page: number) {
    return this.web.get("https://covers.example.org/pages/" + page);
  }

  byShelf(shelves: string[]) {
    const wanted: string[] = ["lent = false"];
    for (const shelf of shelves) wanted.push("shelf = '" + shelf + "'");
    return this.source.query("SELECT * FROM book WHERE " + wanted.join(" OR "));
  }

  byShelfBound(shelves: string[]) {
    const marks = shelves.map((_, at) => "$" + (at + 1)).join(", ");
    return this.source.query(`SELECT * FROM book WHERE shelf IN (${marks})`, shelves);
  }
}

@Controller("library")
export class LibraryController {
  constructor(private readonly library: LibraryService, private readonly books: Repository<Book>) {}

  @Post()
  add(@Body() body: any) {
    return this.library.add(body);
  }

  @Patch(":id")
  rename(@Param("id", ParseIntPipe) id: number, @Body("title") title: string) {
    return this.library.rename(id, title);
  }

  @Get("cover")
  cover(@Query("from") from: string) {
    return this.library.cover(from);
  }

  @Post("shelves")
  shelves(@Body("shelves") shelves: string[]) {
    return [this.library.byShelf(shelves), this.library.byShelfBound(shelves)];
  }

  @Get("search")
  search(@Query("title") title: string) {
    return this.books.createQueryBuilder("b").andWhere("b.title LIKE '" + title + "%'").getMany();
  }

  @Get("search-bound")
  searchBound(@Query("title") title: string) {
    return this.books.createQueryBuilder("b").andWhere("b.title LIKE :title", { title: title + "%" }).getMany();
  }

  @Get("label")
  label(@Query("text") text: string) {
    return "<strong>" + text + "</strong>";
  }

  @Get("label-data")
  labelData(@Query("text") text: string) {
    return { html: false, text };
  }

  @Get("file/:name")
  file(@Param("name") name: string, @Res() res: Response) {
    return res.redirect(name);
  }

  @Get("file-number/:n")
  fileNumber(@Param("n", ParseIntPipe) n, @Res() res: Response) {
    return res.redirect("/files/" + n);
  }
}
