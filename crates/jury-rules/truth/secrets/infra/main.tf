provider "aws" {
  region     = "eu-west-1"
  access_key = "AKIAPJVTW3§ZMGBRRQDFA"
}

provider "digitalocean" {
  token = var.digitalocean_token
}

resource "aws_db_instance" "orders" {
  username = "orders"
  password = "tR4!fTD§ugMcXUK"
}

resource "aws_db_instance" "reports" {
  username = "reports"
  password = random_password.reports.result
}

resource "alicloud_provider" "cn" {
  access_id = "LTAI5tj0LjxI§UGcNlWX2JNHL"
  region_id = "cn-hangzhou"
}
